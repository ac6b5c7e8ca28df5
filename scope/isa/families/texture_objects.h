// The textures and surfaces that lanes name by handles, which are untrusted.
#pragma once

#include <cstdint>

#include "scope/machine/worker.h"
#include "scope/texture/texture.h"

namespace tilescope::isa {

// nullptr: there is none, and the run goes on after that fault; else the kernel ends. The memo of the instruction's
// site remembers the one that was found last.
const texture::Texture* texture_of(const machine::Warp& warp, const machine::Op& op, unsigned lane,
                                   std::uint64_t handle);
const texture::Surface* surface_of(const machine::Warp& warp, const machine::Op& op, unsigned lane,
                                   std::uint64_t handle);

// The same without a fault.
const texture::Texture* texture_if_there(const machine::Warp& warp, const machine::Op& op, std::uint64_t handle);

// A fetch by level or gradients through an object of anisotropic filtering, which the texture unit here does not do.
void refuse_anisotropic(const machine::Warp& warp, const machine::Op& op, unsigned lane);

// Threads that a surface's bounds or its texels' size stop.
void refuse_outside(const machine::Warp& warp, const machine::Op& op, unsigned lane, unsigned bytes, bool writes,
                    const texture::Surface& surface, std::int64_t x, std::int64_t y, std::int64_t z);
void refuse_misaligned(const machine::Warp& warp, const machine::Op& op, unsigned lane, unsigned bytes, bool writes,
                       std::int64_t x);

}  // namespace tilescope::isa
