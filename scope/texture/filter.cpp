#include "scope/texture/filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace tilescope::texture {
namespace {

constexpr int kKeptBits = 27, kKeptBitsOfHalf = 14, kKeptBitsOfColour = 7;  // of a float, below the largest one
constexpr double kUnsignedOne = 65535, kSignedOne = 32767;                  // the number 1, in 16 bits

// To the nearest, halves away from zero.
float rounded_away(double value) {
    constexpr std::uint64_t kDropped = (std::uint64_t{1} << 29) - 1;
    if (!std::isfinite(value) || std::fabs(value) < 0x1p-126) return static_cast<float>(value);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) + (kDropped >> 1) + 1;
    return static_cast<float>(std::bit_cast<double>(bits & ~kDropped));
}

float rounded_to_half(double value) {
    constexpr std::uint64_t kDropped = (std::uint64_t{1} << 42) - 1;
    if (!std::isfinite(value)) return static_cast<float>(value);
    if (std::fabs(value) < 0x1p-14) {
        const double units = std::round(std::fabs(value) * 0x1p24);
        return static_cast<float>(std::copysign(units * 0x1p-24, value));
    }
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) + (kDropped >> 1) + 1;
    return static_cast<float>(std::bit_cast<double>(bits & ~kDropped));
}

// Of a number that is not denormal.
int exponent_of(double value) { return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff) - 1023; }
double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }

// The next whole number below.
double floor_of(double value) {
    const auto whole = static_cast<double>(static_cast<std::int64_t>(value));
    return whole > value ? whole - 1 : whole;
}

// The exponent that the card gives a colour of sRGB: one more for the brightest colours below a power of two.
int exponent_of_colour(double colour) {
    constexpr std::uint8_t kFirstRaised[] = {248, 184, 136, 96, 64, 48, 32};  // below 1, 1/2, 1/4 and so on
    const int exponent = exponent_of(colour);
    const int below = -1 - exponent;
    if (below < 0 || below >= static_cast<int>(std::size(kFirstRaised))) return exponent;
    return colour >= static_cast<double>(linear_of_srgb(kFirstRaised[below])) ? exponent + 1 : exponent;
}

// A sum of signed texels of 8 bits, in 256ths of them, as a number of 1/32767, as the card multiplies by 32767/127/256.
std::int64_t in_signed_units(std::int64_t sum) { return sum + (((sum >> 4) + (sum >> 12) + 4) >> 3); }

template <class T>
T channel_of(const std::byte* texel, unsigned channel) {
    T value;
    std::memcpy(&value, texel + channel * sizeof(T), sizeof(T));
    return value;
}

template <class T>
std::uint32_t sum_of_integers(const FlatQuad& quad, unsigned channel) {
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < quad.count; ++i)
        sum += channel_of<T>(quad.texels[i], channel) * static_cast<std::uint32_t>(quad.weights[i]);
    return sum;
}

// Of a sum of 16 bits, in 256ths.
float number_of(std::uint32_t sum) {
    return static_cast<float>(((sum + kWholeWeight / 2) >> kWeightBits) / kUnsignedOne);
}

float sum_of_floats(const FlatQuad& quad, unsigned channel) {
    double values[4];
    double largest = 0, sum = 0;
    for (unsigned i = 0; i < quad.count; ++i) {
        values[i] = static_cast<double>(channel_of<float>(quad.texels[i], channel));
        if (quad.weights[i] != 0) largest = std::max(largest, std::fabs(values[i]));
    }
    const bool cuts = largest > 0 && largest <= std::numeric_limits<double>::max();
    const int unit = cuts ? exponent_of(largest) - kKeptBits : 0;
    const double into_units = power_of_two(-unit);
    for (unsigned i = 0; i < quad.count; ++i) {
        if (quad.weights[i] == 0) continue;
        const double units = values[i] * into_units;
        const bool stays = !cuts || std::isnan(units);
        sum += (stays ? units : static_cast<double>(static_cast<std::int32_t>(units))) * quad.weights[i];
    }
    return rounded_away(sum * power_of_two(unit) / kWholeWeight);
}

}  // namespace

void to_be_filtered(const Format& format, Reading reading, unsigned srgb_channels, const std::byte* texel,
                    double* values) {
    const unsigned count = format.channels;
    if (reading != Reading::kNormalised) {
        if (format.channel == Channel::kFloat && format.bits == 32) {
            for (unsigned i = 0; i < count; ++i)
                values[i] = static_cast<double>(std::bit_cast<float>(raw_channel(format, texel, i)));
            return;
        }
        for (unsigned i = 0; i < count; ++i) values[i] = static_cast<double>(read_channel(format, reading, texel, i));
        return;
    }
    const double scale = format.channel == Channel::kUnsigned && format.bits == 8 ? 257 : 1;
    for (unsigned i = 0; i < count; ++i) values[i] = static_cast<std::int32_t>(raw_channel(format, texel, i)) * scale;
    for (unsigned i = 0; i < std::min(srgb_channels, count); ++i)
        values[i] = static_cast<double>(linear_of_srgb(static_cast<std::uint8_t>(raw_channel(format, texel, i))));
}

int Sum::kept_bits(unsigned channel) const {
    if (channel < srgb_channels_) return kKeptBitsOfColour;
    return is_half(channel) ? kKeptBitsOfHalf : kKeptBits;
}

void Sum::add(const Quad& quad) {
    for (unsigned channel = 0; channel < format_.channels; ++channel) {
        double largest = 0;
        const bool may_cut = reading_ == Reading::kFloat || is_half(channel);
        if (may_cut)
            for (unsigned i = 0; i < quad.count; ++i)
                if (quad.weights[i] != 0) largest = std::max(largest, std::fabs(quad.values[i][channel]));
        const bool cuts = may_cut && largest > 0 && largest <= std::numeric_limits<double>::max();
        double sum = 0;
        if (!cuts) {
            for (unsigned i = 0; i < quad.count; ++i)
                if (quad.weights[i] != 0) sum += quad.values[i][channel] * quad.weights[i];
            sums_[channel] += sum;
            continue;
        }
        const int exponent = channel < srgb_channels_ ? exponent_of_colour(largest) : exponent_of(largest);
        const int unit = exponent - kept_bits(channel);
        const double into_units = power_of_two(-unit);
        for (unsigned i = 0; i < quad.count; ++i) {
            if (quad.weights[i] == 0) continue;
            const double units = quad.values[i][channel] * into_units;  // below 2^28
            sum +=
                (std::isnan(units) ? units : static_cast<double>(static_cast<std::int32_t>(units))) * quad.weights[i];
        }
        sums_[channel] += sum * power_of_two(unit);
    }
}

std::array<float, 4> Sum::result() const {
    std::array<float, 4> numbers{};
    for (unsigned channel = 0; channel < format_.channels; ++channel) {
        const double sum = sums_[channel] / kWholeWeight;
        if (reading_ == Reading::kFloat || is_half(channel)) {
            numbers[channel] = is_half(channel) ? rounded_to_half(sum) : rounded_away(sum);
            continue;
        }
        if (format_.channel == Channel::kUnsigned) {
            numbers[channel] = static_cast<float>(floor_of(sum + 0.5) / kUnsignedOne);
            continue;
        }
        const double units = format_.bits == 8
                                 ? static_cast<double>(in_signed_units(static_cast<std::int64_t>(sums_[channel])))
                                 : floor_of(sum + 0.5);
        numbers[channel] = static_cast<float>(std::max(units, -kSignedOne) / kSignedOne);
    }
    return numbers;
}

std::array<float, 4> Sum::of(const Format& format, const FlatQuad& quad) {
    std::array<float, 4> numbers{};
    for (unsigned channel = 0; channel < format.channels; ++channel) {
        if (format.channel == Channel::kFloat)
            numbers[channel] = sum_of_floats(quad, channel);
        else if (format.bits == 8)
            numbers[channel] = number_of(sum_of_integers<std::uint8_t>(quad, channel) * 257);
        else
            numbers[channel] = number_of(sum_of_integers<std::uint16_t>(quad, channel));
    }
    return numbers;
}

}  // namespace tilescope::texture
