// What texels become, 32 lanes at a time: what texture/format.h and texture/filter.h do for one.
//
// Guarantees: the same results to the bit. Does not model: filtered halves, signed numbers and colours of sRGB, which
// are left to the unit itself. Everything lies in the target's namespace (simd/target.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "scope/machine/access.h"
#include "scope/machine/simd/target.h"
#include "scope/texture/addressing.h"
#include "scope/texture/format.h"

namespace tilescope::isa::TILESCOPE_TARGET {

using machine::kWarpSize;

// Up to four texels of each lane, as they lie in memory.
struct LaneWords {
    alignas(64) std::uint32_t words[4][4][kWarpSize];  // by texel, word and lane
};

// And their weights, in 256ths.
struct LaneWeights {
    alignas(64) std::int32_t of[4][kWarpSize];  // by texel and lane
};

template <unsigned kBytes>
inline void take_texel(const std::byte* from, LaneWords& to, unsigned texel, unsigned lane) {
    constexpr unsigned kWords = kBytes < 4 ? 1 : kBytes / 4;
    std::uint32_t words[kWords] = {};
    std::memcpy(words, from, kBytes);
    for (unsigned i = 0; i < kWords; ++i) to.words[texel][i][lane] = words[i];
}

// A channel's bits, not extended.
inline std::uint32_t channel_bits(const LaneWords& from, unsigned bits, unsigned texel, unsigned channel,
                                  unsigned lane) {
    if (bits == 32) return from.words[texel][channel][lane];
    if (bits == 16) return from.words[texel][channel / 2][lane] >> 16 * (channel % 2) & 0xffffu;
    return from.words[texel][0][lane] >> 8 * channel & 0xffu;
}

// ---- one texel each ------------------------------------------------------------------------------------------------

inline void read_integers(const LaneWords& from, const texture::Format& format, unsigned channel, std::uint32_t* to) {
    const unsigned bits = format.bits, spare = format.channel == texture::Channel::kSigned ? 32 - bits : 0;
    for (unsigned i = 0; i < kWarpSize; ++i)
        to[i] = static_cast<std::uint32_t>(
            static_cast<std::int32_t>(channel_bits(from, bits, 0, channel, i) << spare) >> spare);
}

inline void read_fractions(const LaneWords& from, const texture::Format& format, unsigned channel, std::uint32_t* to) {
    const bool has_sign = format.channel == texture::Channel::kSigned;
    const double one = (1u << (format.bits - (has_sign ? 1 : 0))) - 1;
    read_integers(from, format, channel, to);
    const double least = has_sign ? -1.0 : 0.0;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i)
        to[i] = std::bit_cast<std::uint32_t>(
            static_cast<float>(std::max(least, static_cast<double>(static_cast<std::int32_t>(to[i])) / one)));
}

// srgb: how many channels are colours of sRGB.
inline void read_texels(const LaneWords& from, const texture::Format& format, texture::Reading reading, unsigned srgb,
                        unsigned channel, std::uint32_t* to) {
    if (channel < srgb) {
        for (unsigned i = 0; i < kWarpSize; ++i)
            to[i] = std::bit_cast<std::uint32_t>(
                texture::linear_of_srgb(static_cast<std::uint8_t>(channel_bits(from, 8, 0, channel, i))));
    } else if (reading == texture::Reading::kNormalised) {
        read_fractions(from, format, channel, to);
    } else if (reading == texture::Reading::kFloat && format.bits == 16) {
        for (unsigned i = 0; i < kWarpSize; ++i)
            to[i] = std::bit_cast<std::uint32_t>(
                texture::half_to_float(static_cast<std::uint16_t>(channel_bits(from, 16, 0, channel, i))));
    } else {
        read_integers(from, format, channel, to);
    }
}

// ---- filtered ------------------------------------------------------------------------------------------------------

// Shares of the four texels around a coordinate: first column, first and second row, and the second column's.
inline void weigh_lanes(const std::int32_t* columns, const std::int32_t* rows, LaneWeights& weights) {
    constexpr std::int32_t kWhole = texture::kWholeWeight, kHalf = kWhole / 2;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::int32_t second = columns[i], first = kWhole - second;
        const std::int32_t below = (first * rows[i] + kHalf - 1) >> texture::kWeightBits;
        const std::int32_t beside = (second * rows[i] + kHalf) >> texture::kWeightBits;
        weights.of[0][i] = first - below;
        weights.of[1][i] = below;
        weights.of[2][i] = second - beside;
        weights.of[3][i] = beside;
    }
}

inline constexpr std::uint64_t kFloatBits = 27, kDoubleBias = 1023, kDoubleFraction = 52;
inline constexpr std::uint64_t kDroppedBits = (std::uint64_t{1} << 29) - 1;  // of a double, that a float has not

// Floats are cut where they are 2^27 times below the largest that counts. Any lane's, numbers or not.
inline std::uint32_t sum_of_any_floats(const LaneWords& from, const LaneWeights& weights, unsigned channel,
                                       unsigned lane) {
    constexpr double kLargest = std::numeric_limits<double>::max();
    double values[4], largest = 0, sum = 0;
    for (unsigned k = 0; k < 4; ++k) {
        values[k] = static_cast<double>(std::bit_cast<float>(from.words[k][channel][lane]));
        const double size = std::fabs(values[k]);
        if (weights.of[k][lane] != 0 && largest < size) largest = size;
    }
    const bool cuts = largest > 0 && largest <= kLargest;
    const std::uint64_t exponent =
        cuts ? std::bit_cast<std::uint64_t>(largest) >> kDoubleFraction : kDoubleBias + kFloatBits;
    const auto unit = std::bit_cast<double>((exponent - kFloatBits) << kDoubleFraction);
    const auto into_units = std::bit_cast<double>((2 * kDoubleBias + kFloatBits - exponent) << kDoubleFraction);
    for (unsigned k = 0; k < 4; ++k) {
        if (weights.of[k][lane] == 0) continue;
        const double units = values[k] * into_units;
        const bool stays = !cuts || std::isnan(units);
        sum += (stays ? units : static_cast<double>(static_cast<std::int32_t>(units))) * weights.of[k][lane];
    }
    const double value = sum * unit / texture::kWholeWeight, size = std::fabs(value);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const bool rounds = size <= kLargest && size >= 0x1p-126;
    const std::uint64_t rounded = rounds ? (bits + (kDroppedBits >> 1) + 1) & ~kDroppedBits : bits;
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(rounded)));
}

// All lanes', in loops of one kind of number each, where all of them are numbers: the same to the bit.
inline void sum_floats(const LaneWords& from, const LaneWeights& weights, unsigned channel, std::uint32_t* to) {
    constexpr std::uint32_t kNoNumber = 0x7f800000;
    constexpr std::uint64_t kLeastExponent = 64;  // below any float's: where all are 0
    alignas(64) double values[4][kWarpSize], sums[kWarpSize];
    alignas(64) double units[kWarpSize], into_units[kWarpSize];
    alignas(64) float results[kWarpSize];
    std::uint32_t is_odd = 0;
    for (unsigned k = 0; k < 4; ++k) {
        const std::uint32_t* const words = from.words[k][channel];
        alignas(64) float counted[kWarpSize];
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i) {
            const std::uint32_t bits = weights.of[k][i] != 0 ? words[i] : 0u;
            is_odd |= (bits & kNoNumber) == kNoNumber ? 1u : 0u;
            counted[i] = std::bit_cast<float>(bits);
        }
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i) values[k][i] = static_cast<double>(counted[i]);
    }
    if (is_odd != 0) {
        for (unsigned i = 0; i < kWarpSize; ++i) to[i] = sum_of_any_floats(from, weights, channel, i);
        return;
    }
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const double left = std::max(std::fabs(values[0][i]), std::fabs(values[1][i]));
        const double right = std::max(std::fabs(values[2][i]), std::fabs(values[3][i]));
        const std::uint64_t exponent = std::bit_cast<std::uint64_t>(std::max(left, right)) >> kDoubleFraction;
        const std::uint64_t counts = exponent < kLeastExponent ? kLeastExponent : exponent;
        units[i] = std::bit_cast<double>((counts - kFloatBits) << kDoubleFraction);
        into_units[i] = std::bit_cast<double>((2 * kDoubleBias + kFloatBits - counts) << kDoubleFraction);
        sums[i] = 0;
    }
    for (unsigned k = 0; k < 4; ++k) {
        const std::int32_t* const its = weights.of[k];
#pragma GCC ivdep
        for (unsigned i = 0; i < kWarpSize; ++i)
            sums[i] += static_cast<double>(static_cast<std::int32_t>(values[k][i] * into_units[i])) *
                       static_cast<double>(its[i]);
    }
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const double value = sums[i] * units[i] / texture::kWholeWeight;
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
        const std::uint64_t rounded = (bits + (kDroppedBits >> 1) + 1) & ~kDroppedBits;
        sums[i] = std::bit_cast<double>(std::fabs(value) >= 0x1p-126 ? rounded : bits);
    }
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) results[i] = static_cast<float>(sums[i]);
    std::memcpy(to, results, sizeof results);
}

// Of 8 and 16 bits, as numbers from 0 to 1: 8 become 16 first, and so does the sum.
template <unsigned kBits>
inline void sum_fractions(const LaneWords& from, const LaneWeights& weights, unsigned channel, std::uint32_t* to) {
    constexpr std::uint32_t kInto16 = kBits == 8 ? 257 : 1;
    constexpr double kOne = 65535;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) {
        std::uint32_t sum = 0;
        for (unsigned k = 0; k < 4; ++k)
            sum += channel_bits(from, kBits, k, channel, i) * static_cast<std::uint32_t>(weights.of[k][i]);
        const std::uint32_t rounded = (sum * kInto16 + texture::kWholeWeight / 2) >> texture::kWeightBits;
        to[i] = std::bit_cast<std::uint32_t>(
            static_cast<float>(static_cast<double>(static_cast<std::int32_t>(rounded)) / kOne));
    }
}

inline bool can_filter_lanes(const texture::Format& format, texture::Reading reading, unsigned srgb) {
    if (reading == texture::Reading::kFloat) return format.bits == 32;
    return reading == texture::Reading::kNormalised && format.channel == texture::Channel::kUnsigned && srgb == 0;
}

inline void filter_lanes(const LaneWords& from, const LaneWeights& weights, const texture::Format& format,
                         unsigned channel, std::uint32_t* to) {
    if (format.channel == texture::Channel::kFloat)
        sum_floats(from, weights, channel, to);
    else if (format.bits == 8)
        sum_fractions<8>(from, weights, channel, to);
    else
        sum_fractions<16>(from, weights, channel, to);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
