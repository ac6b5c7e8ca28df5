// From the coordinates of 32 lanes to texels along one dimension: what texture/addressing.h does for one.
//
// Guarantees: the same texels and weights to the bit, or no answer: coordinates so far away that 32 bits do not hold
// them, and texels of a border, are left to the unit itself. Everything lies in the target's namespace (simd/target.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "scope/machine/access.h"
#include "scope/machine/simd/target.h"
#include "scope/texture/addressing.h"

namespace tilescope::isa::TILESCOPE_TARGET {

using machine::kWarpSize;

// Along one dimension: the texels of all lanes, the ones behind them, and how far a coordinate is between the two.
struct LaneTexels {
    alignas(64) std::int32_t first[kWarpSize];
    alignas(64) std::int32_t second[kWarpSize];
    alignas(64) std::int32_t fraction[kWarpSize];
};

// How a dimension's coordinates become texels.
struct Along {
    std::uint32_t size = 1;
    texture::AddressMode mode = texture::AddressMode::kClamp;
    bool is_normalised = false;
};

// The next whole number below, of what 32 bits hold. In doubles, so that no loop mixes widths.
inline double floor_in_lane(double value) {
    const auto whole = static_cast<double>(static_cast<std::int32_t>(value));
    return whole > value ? whole - 1 : whole;
}

// Coordinates of lanes that take part, 0 for denormal ones, those that are no number, and other lanes. False: one is
// too far away.
inline bool take_coordinates(const float* at, std::uint32_t exec, const Along& along, float* taken) {
    // Of texels: products with 2^8 and more stay within 32 bits.
    const float far = along.is_normalised ? std::min(512.0f, 0x1p22f / static_cast<float>(along.size)) : 0x1p21f;
    std::uint32_t too_far = 0;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const bool counts = (exec >> i & 1u) != 0 && std::fabs(at[i]) >= 0x1p-126f;
        taken[i] = counts ? at[i] : 0.0f;
        too_far |= std::fabs(taken[i]) < far ? 0u : 1u;
    }
    return too_far == 0;
}

// Texels beyond the image go by the mode, and `is_inside` becomes false. False: a lane of `exec` needs the border.
inline bool wrap_lanes(std::int32_t* texels, std::uint32_t exec, const Along& along, bool& is_inside) {
    const auto last = static_cast<std::int32_t>(along.size) - 1;
    std::uint32_t outside = 0;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i)
        outside |= static_cast<std::uint32_t>(texels[i] < 0 || texels[i] > last) << i;
    if ((outside & exec) != 0) {
        is_inside = false;
        if (along.mode == texture::AddressMode::kBorder) return false;
    }
    for (; outside != 0; outside &= outside - 1) {
        const auto i = static_cast<unsigned>(__builtin_ctz(outside));
        texels[i] =
            static_cast<std::int32_t>(std::max<std::int64_t>(0, texture::wrapped(texels[i], along.size, along.mode)));
    }
    return true;
}

// The texels at the coordinates.
inline bool nearest_lanes(const float* at, std::uint32_t exec, const Along& along, std::int32_t* texels,
                          bool& is_inside) {
    alignas(64) float taken[kWarpSize];
    if (!take_coordinates(at, exec, along, taken)) return false;
    const double size = along.size;
    if (along.is_normalised) {
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i)
            texels[i] = static_cast<std::int32_t>(
                floor_in_lane(floor_in_lane(static_cast<double>(taken[i]) * 0x1p21) * size * 0x1p-21));
    } else {
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i)
            texels[i] = static_cast<std::int32_t>(floor_in_lane(static_cast<double>(taken[i])));
    }
    return wrap_lanes(texels, exec, along, is_inside);
}

// The two texels between which each coordinate lies.
inline bool pairs_of_lanes(const float* at, std::uint32_t exec, const Along& along, LaneTexels& pairs,
                           bool& is_inside) {
    constexpr double kHalf = 4096;  // of a 256th of a texel, in units of 2^-21
    alignas(64) float taken[kWarpSize];
    if (!take_coordinates(at, exec, along, taken)) return false;
    const double size = along.size;
    alignas(64) std::int32_t fixed[kWarpSize];
    if (along.is_normalised) {
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i)
            fixed[i] = static_cast<std::int32_t>(
                floor_in_lane((floor_in_lane(static_cast<double>(taken[i]) * 0x1p21) * size + kHalf) * 0x1p-13));
    } else {
        // A multiple of 2^-21 or not: what lies below one is no other 256th.
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i)
            fixed[i] =
                static_cast<std::int32_t>(floor_in_lane((static_cast<double>(taken[i]) * 0x1p21 + kHalf) * 0x1p-13));
    }
    const auto last = static_cast<std::int32_t>(along.size) - 1;
    const bool clamps = along.mode == texture::AddressMode::kClamp;
    const std::int32_t least = clamps ? 0 : INT32_MIN, most = clamps ? last * texture::kWholeWeight : INT32_MAX;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::int32_t at_texel = std::clamp(fixed[i] - texture::kWholeWeight / 2, least, most);
        pairs.first[i] = at_texel >> texture::kWeightBits;
        pairs.fraction[i] = at_texel & (texture::kWholeWeight - 1);
        // Where there is no fraction, the second counts for nothing.
        pairs.second[i] = pairs.first[i] + (pairs.fraction[i] != 0 ? 1 : 0);
    }
    return wrap_lanes(pairs.first, exec, along, is_inside) && wrap_lanes(pairs.second, exec, along, is_inside);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
