#include "scope/texture/addressing.h"

#include <algorithm>
#include <cmath>

namespace tilescope::texture {
namespace {

// Coordinates from 0 to 1 are cut to multiples of 2^-21 before they are multiplied by the size (H200, November 2026).
constexpr int kUnitBits = 21;
// What lies further away lies where these do: floats of that size are even numbers. The first is multiplied by a size.
constexpr double kFar = 0x1p45, kFarInTexels = 0x1p52;

// In units of 2^-kUnitBits of a texel. Denormal coordinates and what is no number are 0.
std::int64_t in_units(float at, std::uint32_t size, bool is_normalised) {
    if (!(std::fabs(at) >= 0x1p-126f)) return 0;
    const double far = is_normalised ? kFar : kFarInTexels;
    const double units = std::clamp(static_cast<double>(at) * (1 << kUnitBits), -far, far);
    auto whole = static_cast<std::int64_t>(units);
    if (static_cast<double>(whole) > units) --whole;
    return is_normalised ? whole * static_cast<std::int64_t>(size) : whole;
}

std::int64_t modulo(std::int64_t at, std::int64_t size) {
    const std::int64_t rest = at % size;
    return rest < 0 ? rest + size : rest;
}

}  // namespace

std::int64_t wrapped(std::int64_t at, std::uint32_t size, AddressMode mode) {
    const std::int64_t last = std::int64_t{size} - 1;
    if (at >= 0 && at <= last) [[likely]]
        return at;
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
