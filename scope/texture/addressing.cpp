#include "scope/texture/addressing.h"

#include <algorithm>
#include <cmath>

namespace tilescope::texture {
namespace {

// Beyond this all coordinates are alike; no number is none.
double in_texels(float at, std::uint32_t size, bool is_normalised) {
    constexpr double kFar = 1 << 24;
    if (std::isnan(at)) return 0;
    const double texels = is_normalised ? static_cast<double>(at) * size : static_cast<double>(at);
    return std::clamp(texels, -kFar, kFar);
}

std::int64_t modulo(std::int64_t at, std::int64_t size) {
    const std::int64_t rest = at % size;
    return rest < 0 ? rest + size : rest;
}

// A coordinate brought into the first repetition, where modes repeat.
float first_repetition(float at, bool is_normalised, AddressMode mode) {
    if (!is_normalised || !std::isfinite(at)) return at;
    if (mode == AddressMode::kWrap) return at - std::floor(at);
    return at;
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

std::int64_t nearest(float at, std::uint32_t size, bool is_normalised, AddressMode mode) {
    return static_cast<std::int64_t>(
        std::floor(in_texels(first_repetition(at, is_normalised, mode), size, is_normalised)));
}

Fixed between(float at, std::uint32_t size, bool is_normalised, AddressMode mode) {
    const double texels = in_texels(first_repetition(at, is_normalised, mode), size, is_normalised);
    return {static_cast<std::int64_t>(std::floor(texels * kWholeWeight + 0.5)) - kWholeWeight / 2};
}

}  // namespace tilescope::texture
