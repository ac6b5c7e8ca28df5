#include "scope/texture/addressing.h"

#include <algorithm>
#include <cmath>

namespace tilescope::texture {
namespace {

// Coordinates from 0 to 1 are cut to multiples of 2^-21 before they are multiplied by the size (H200, November 2026).
constexpr int kUnitBits = 21;
constexpr double kFar = 1 << 30;

// In units of 2^-kUnitBits of a texel.
std::int64_t in_units(float at, std::uint32_t size, bool is_normalised) {
    if (std::isnan(at)) return 0;
    if (std::fabs(at) < 0x1p-126f) at = 0;
    const double units =
        std::floor(std::clamp(std::ldexp(static_cast<double>(at), kUnitBits), -kFar * kFar, kFar * kFar));
    const auto whole = static_cast<std::int64_t>(std::clamp(units, -0x1p52, 0x1p52));
    return is_normalised ? whole * static_cast<std::int64_t>(size) : whole;
}

std::int64_t modulo(std::int64_t at, std::int64_t size) {
    const std::int64_t rest = at % size;
    return rest < 0 ? rest + size : rest;
}

}  // namespace

std::int64_t wrapped(std::int64_t at, std::uint32_t size, AddressMode mode) {
    const std::int64_t last = std::int64_t{size} - 1;
    switch (mode) {
        case AddressMode::kWrap: return modulo(at, size);
        case AddressMode::kMirror: {
            const std::int64_t there = modulo(at, 2 * std::int64_t{size});
            return there <= last ? there : 2 * std::int64_t{size} - 1 - there;
        }
        case AddressMode::kBorder: return at < 0 || at > last ? kOutside : at;
        case AddressMode::kClamp: break;
    }
    return std::clamp<std::int64_t>(at, 0, last);
}

std::int64_t nearest(float at, std::uint32_t size, bool is_normalised) {
    return in_units(at, size, is_normalised) >> kUnitBits;
}

Fixed between(float at, std::uint32_t size, bool is_normalised) {
    constexpr int kRest = kUnitBits - kWeightBits;
    const std::int64_t units = in_units(at, size, is_normalised);
    return {((units + (std::int64_t{1} << (kRest - 1))) >> kRest) - kWholeWeight / 2};
}

}  // namespace tilescope::texture
