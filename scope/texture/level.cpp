#include "scope/texture/level.h"

#include <algorithm>
#include <cmath>

#include "scope/texture/addressing.h"

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

float level_of_gradients(const Texture& texture, const float* dx, const float* dy, unsigned dimensions) {
    // The longer of the two or, where that is more, 11/16 of both together: of one dimension as an H200 has it. How
    // lengths of two and three dimensions are taken there is not known; here they are Euclid's.
    constexpr double kOfBoth = 11.0 / 16;
    const Level& base = texture.image.levels.front();
    const std::uint32_t sizes[] = {base.width, base.height, base.depth};
    double along_x = 0, along_y = 0;
    for (unsigned i = 0; i < dimensions; ++i) {
        const double scale = texture.sampler.is_normalised ? sizes[i] : 1.0;
        along_x += dx[i] * scale * dx[i] * scale;
        along_y += dy[i] * scale * dy[i] * scale;
    }
    along_x = std::sqrt(along_x);
    along_y = std::sqrt(along_y);
    const double longest = std::max({along_x, along_y, kOfBoth * (along_x + along_y)});
    constexpr float kNoLevel = -1e30f;
    return longest > 0 ? static_cast<float>(std::log2(longest)) : kNoLevel;
}

}  // namespace tilescope::texture
