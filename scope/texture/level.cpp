#include "scope/texture/level.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scope/texture/addressing.h"
#include "scope/texture/cube.h"

namespace tilescope::texture {

LevelChoice level_of(const Texture& texture, float level) {
    const Sampler& sampler = texture.sampler;
    const auto last = static_cast<std::uint32_t>(texture.image.levels.size() - 1);
    if (last == 0) return {};
    if (std::isnan(level)) level = 0;
    // All of it in 256ths, each part cut towards 0.
    const auto fixed_of = [](float value) {
        constexpr float kFar = 1 << 20;
        return static_cast<int>(std::trunc(std::clamp(value, -kFar, kFar) * kWholeWeight));
    };
    const int least = fixed_of(sampler.min_level), most = std::max(least, fixed_of(sampler.max_level));
    const int fixed = std::clamp(std::clamp(fixed_of(level) + fixed_of(sampler.bias), least, most), 0,
                                 static_cast<int>(last) * kWholeWeight);
    if (sampler.between_levels == Filter::kPoint)
        return {std::min(last, static_cast<std::uint32_t>((fixed + kWholeWeight / 2) >> kWeightBits)), 0};
    return {static_cast<std::uint32_t>(fixed >> kWeightBits), fixed & (kWholeWeight - 1)};
}

namespace {

// Lengths of gradients as an H200 takes them: fitted to 131,072 of them (27 November 2026;
// bench/hardware/texture_probe.cu), of which all in one dimension come out, and 1 in 1,000 of two and 1 in 100 of three
// do not. Numbers are kept to 9 bits below their power of two, and a product with a constant is of nearly half a bit
// more.
constexpr int kKept = 9;
using Vector = std::array<double, 3>;

double kept(double value, int bits = kKept) {
    if (value == 0 || !std::isfinite(value)) return value;
    const int unit = std::ilogb(value) - bits;
    return std::ldexp(std::trunc(std::ldexp(value, -unit)), unit);
}

double times(double constant, double value) {
    constexpr double kNearlyHalf = 7.0 / 16;
    const double magnitude = std::fabs(kept(value));
    if (magnitude == 0 || !std::isfinite(magnitude)) return magnitude;
    return constant * (magnitude + std::ldexp(kNearlyHalf, std::ilogb(magnitude) - kKept));
}

// The longest part, and what 11/32 of the next and a quarter of the third come to in the former's bits.
double length_of(const Vector& along) {
    constexpr double kOfMiddle = 11.0 / 32, kOfLeast = 1.0 / 4;
    constexpr int kKeptOfLeast = 8;
    Vector parts{std::fabs(along[0]), std::fabs(along[1]), std::fabs(along[2])};
    std::sort(parts.begin(), parts.end());
    if (!(parts[2] > 0) || !std::isfinite(parts[2])) return parts[2];
    const int unit = std::ilogb(parts[2]) - kKept;
    const double lesser = times(kOfMiddle, parts[1]) + kOfLeast * kept(parts[0], kKeptOfLeast);
    return parts[2] + std::ldexp(std::floor(std::ldexp(lesser, -unit)), unit);
}

// Of a sum or difference of two gradients, 11/16 of each part.
double length_of_both(const Vector& x, const Vector& y, double sign) {
    constexpr double kOfBoth = 11.0 / 16;
    Vector both{};
    for (unsigned i = 0; i < both.size(); ++i) both[i] = kept(times(kOfBoth, kept(x[i]) + sign * kept(y[i])));
    return length_of(both);
}

// Of the middle of the 256th part of its power of two in which the length lies, to the nearest 256th; halves and what
// is hardly more go down, and the first and the last part stay within their power. All 256 as an H200 has them (32,768
// lengths of a power, 27 November 2026; bench/hardware/texture_probe.cu).
float level_of_length(double length) {
    constexpr float kNoLevel = -1e30f;
    if (!(length > 0) || !std::isfinite(length)) return length > 0 ? -kNoLevel : kNoLevel;
    const int power = std::ilogb(length);
    constexpr double kUp = 15.0 / 32;
    const double part = std::floor(std::ldexp(length, kWeightBits - power)) - kWholeWeight;
    const double middle = (std::log2(part + kWholeWeight + 0.5) - kWeightBits) * kWholeWeight;
    const double within = part == 0 ? 0 : std::min(std::floor(middle + kUp), kWholeWeight - 1.0);
    return static_cast<float>(power + within / kWholeWeight);
}

}  // namespace

// The longer of the two gradients or, where that is more, their sum's or difference's length.
float level_of_gradients(const Texture& texture, const float* dx, const float* dy, unsigned dimensions) {
    const Level& base = texture.image.levels.front();
    const std::uint32_t sizes[] = {base.width, base.height, base.depth};
    Vector along_x{}, along_y{};
    for (unsigned i = 0; i < dimensions; ++i) {
        const double scale = texture.sampler.is_normalised ? sizes[i] : 1.0;
        along_x[i] = dx[i] * scale;
        along_y[i] = dy[i] * scale;
    }
    return level_of_length(std::max({length_of(along_x), length_of(along_y), length_of_both(along_x, along_y, 1),
                                     length_of_both(along_x, along_y, -1)}));
}

float level_of_cube_gradients(const Texture& texture, const float* at, const float* dx, const float* dy) {
    const double size = texture.image.levels.front().width;
    const CubeStep x = step_on_cube(at, dx), y = step_on_cube(at, dy);
    const Vector along_x{x.s * size, x.t * size, 0}, along_y{y.s * size, y.t * size, 0};
    double longest = std::max(length_of(along_x), length_of(along_y));
    if (!x.leaves_face && !y.leaves_face)
        longest = std::max({longest, length_of_both(along_x, along_y, 1), length_of_both(along_x, along_y, -1)});
    return level_of_length(longest);
}

}  // namespace tilescope::texture
