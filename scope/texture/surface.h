// Where a surface instruction reads or writes.
#pragma once

#include <cstdint>

#include "scope/texture/texture.h"

namespace tilescope::texture {

enum class Outside : std::uint8_t { kTrap, kClamp, kZero };  // what happens beyond the bounds

// What a thread asks for. x counts bytes, or texels where the instruction goes by the format.
struct SurfaceRequest {
    std::int32_t x = 0, y = 0, z = 0;
    std::uint32_t layer = 0;
};

struct SurfacePlace {
    std::byte* bytes = nullptr;  // nullptr: nowhere
    std::uint64_t address = 0;   // where a card has it (tiles.h)
    bool is_outside = false;     // and Outside is kTrap
    bool is_misaligned = false;
};

// bytes: of the access.
SurfacePlace place_on(const Surface& surface, unsigned dimensions, bool is_layered, bool in_texels, unsigned bytes,
                      Outside outside, const SurfaceRequest& request);

}  // namespace tilescope::texture
