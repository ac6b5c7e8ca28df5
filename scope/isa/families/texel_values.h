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

// Floats are cut where they are 2^27 times below the largest that counts.
inline void sum_floats(const LaneWords& from, const LaneWeights& weights, unsigned channel, std::uint32_t* to) {
    constexpr std::uint64_t kExponent = 0x7ff, kKept = 27, kBias = 1023, kFraction = 52;
    constexpr std::uint64_t kDropped = (std::uint64_t{1} << 29) - 1;  // of a double, that a float has not
    constexpr double kLargest = std::numeric_limits<double>::max();
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpSize; ++i) {
        double values[4], largest = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const std::uint32_t counts = weights.of[k][i] != 0 ? ~0u : 0u;
            values[k] = static_cast<double>(std::bit_cast<float>(from.words[k][channel][i] & counts));
            const double size = std::fabs(values[k]);
            largest = largest < size ? size : largest;
        }
        const bool cuts = largest > 0 && largest <= kLargest;
        // Without a cut the unit is 1.
        const std::uint64_t exponent =
            cuts ? std::bit_cast<std::uint64_t>(largest) >> kFraction & kExponent : kBias + kKept;
        const auto unit = std::bit_cast<double>((exponent - kKept) << kFraction);
        const auto into_units = std::bit_cast<double>((2 * kBias + kKept - exponent) << kFraction);
        double sum = 0;
        for (unsigned k = 0; k < 4; ++k) {
            const double units = values[k] * into_units;
            const bool stays = !cuts || units != units;
            const auto cut = static_cast<double>(static_cast<std::int32_t>(stays ? 0.0 : units));
            sum += (stays ? units : cut) * static_cast<double>(weights.of[k][i]);
        }
        const double value = sum * unit / texture::kWholeWeight, size = std::fabs(value);
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
        const bool rounds = size <= kLargest && size >= 0x1p-126;
        const auto rounded = std::bit_cast<double>(rounds ? (bits + (kDropped >> 1) + 1) & ~kDropped : bits);
        to[i] = std::bit_cast<std::uint32_t>(static_cast<float>(rounded));
    }
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
