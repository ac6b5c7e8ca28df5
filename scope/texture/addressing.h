// From a coordinate to texels along one dimension.
#pragma once

#include <cstdint>

#include "scope/texture/texture.h"

namespace tilescope::texture {

// Weights have 8 bits of fraction.
inline constexpr int kWeightBits = 8;
inline constexpr int kWholeWeight = 1 << kWeightBits;

// A coordinate in texels, with 8 bits of fraction.
struct Fixed {
    std::int64_t value = 0;
    std::int64_t whole() const { return value >> kWeightBits; }
    int fraction() const { return static_cast<int>(value & (kWholeWeight - 1)); }
};

inline constexpr std::int64_t kOutside = -1;

// The texel that a whole coordinate means; kOutside: the border.
std::int64_t wrapped(std::int64_t at, std::uint32_t size, AddressMode mode);
// The mode that counts: wrapping needs coordinates from 0 to 1.
inline AddressMode mode_of(const Sampler& sampler, unsigned dimension) {
    const AddressMode mode = sampler.modes[dimension];
    const bool repeats = mode == AddressMode::kWrap || mode == AddressMode::kMirror;
    return repeats && !sampler.is_normalised ? AddressMode::kClamp : mode;
}

// The texel at a coordinate: its number before it is wrapped.
std::int64_t nearest(float at, std::uint32_t size, bool is_normalised);
// The lower of the two texels between which a coordinate lies, and how far it is from there to the next.
Fixed between(float at, std::uint32_t size, bool is_normalised);

}  // namespace tilescope::texture
