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

// A length as an H200 takes it: the longest part, 11/32 of the next, and a quarter of the third.
double length_of(const std::array<double, 3>& along) {
    constexpr double kOfMiddle = 11.0 / 32, kOfLeast = 1.0 / 4;
    constexpr int kKept = 9;  // bits below the longest part's power of two
    std::array<double, 3> parts{std::fabs(along[0]), std::fabs(along[1]), std::fabs(along[2])};
    std::sort(parts.begin(), parts.end());
    if (!(parts[2] > 0) || !std::isfinite(parts[2])) return parts[2];
    // What the lesser parts add is cut.
    const int unit = std::ilogb(parts[2]) - kKept;
    const auto cut = [&](double part) { return std::ldexp(std::floor(std::ldexp(part, -unit)), unit); };
    return parts[2] + cut(kOfMiddle * parts[1]) + cut(kOfLeast * parts[0]);
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

float level_of_gradients(const Texture& texture, const float* dx, const float* dy, unsigned dimensions) {
    // The longer of the two or, where that is more, 11/16 of their sum or difference.
    constexpr double kOfBoth = 11.0 / 16;
    const Level& base = texture.image.levels.front();
    const std::uint32_t sizes[] = {base.width, base.height, base.depth};
    std::array<double, 3> along_x{}, along_y{}, sum{}, difference{};
    for (unsigned i = 0; i < dimensions; ++i) {
        const double scale = texture.sampler.is_normalised ? sizes[i] : 1.0;
        along_x[i] = dx[i] * scale;
        along_y[i] = dy[i] * scale;
        sum[i] = along_x[i] + along_y[i];
        difference[i] = along_x[i] - along_y[i];
    }
    return level_of_length(
        std::max({length_of(along_x), length_of(along_y), kOfBoth * length_of(sum), kOfBoth * length_of(difference)}));
}

float level_of_cube_gradients(const Texture& texture, const float* at, const float* dx, const float* dy) {
    constexpr double kOfBoth = 11.0 / 16;
    const double size = texture.image.levels.front().width;
    const CubeStep x = step_on_cube(at, dx), y = step_on_cube(at, dy);
    const auto length = [&](double s, double t) { return length_of({s * size, t * size, 0}); };
    double longest = std::max(length(x.s, x.t), length(y.s, y.t));
    if (!x.leaves_face && !y.leaves_face)
        longest = std::max({longest, kOfBoth * length(x.s + y.s, x.t + y.t), kOfBoth * length(x.s - y.s, x.t - y.t)});
    return level_of_length(longest);
}

}  // namespace tilescope::texture
