#include "scope/texture/filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

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
        const double units = std::floor(std::fabs(value) * 0x1p24 + 0.5);
        return static_cast<float>(std::copysign(units * 0x1p-24, value));
    }
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) + (kDropped >> 1) + 1;
    return static_cast<float>(std::bit_cast<double>(bits & ~kDropped));
}

// The exponent that the card gives a colour of sRGB: one more for the brightest colours below a power of two.
int exponent_of_colour(double colour) {
    constexpr std::uint8_t kFirstRaised[] = {248, 184, 136, 96, 64, 48, 32};  // below 1, 1/2, 1/4 and so on
    const int exponent = std::ilogb(colour);
    const int below = -1 - exponent;
    if (below < 0 || below >= static_cast<int>(std::size(kFirstRaised))) return exponent;
    return colour >= static_cast<double>(linear_of_srgb(kFirstRaised[below])) ? exponent + 1 : exponent;
}

// A sum of signed texels of 8 bits, in 256ths of them, as a number of 1/32767, as the card multiplies by 32767/127/256.
std::int64_t in_signed_units(std::int64_t sum) { return sum + (((sum >> 4) + (sum >> 12) + 4) >> 3); }

}  // namespace

double to_be_filtered(const Format& format, Reading reading, unsigned srgb_channels, unsigned channel,
                      const std::byte* texel) {
    if (channel >= format.channels) return 0;
    if (reading != Reading::kNormalised) return read_channel(format, reading, texel, channel);
    const auto bits = static_cast<std::int32_t>(raw_channel(format, texel, channel));
    if (channel < srgb_channels) return linear_of_srgb(static_cast<std::uint8_t>(bits));
    if (format.channel == Channel::kUnsigned) return format.bits == 8 ? bits * 257.0 : bits;
    return bits;
}

int Sum::kept_bits(unsigned channel) const {
    if (channel < srgb_channels_) return kKeptBitsOfColour;
    return is_half(channel) ? kKeptBitsOfHalf : kKeptBits;
}

void Sum::add(const Quad& quad) {
    for (unsigned channel = 0; channel < format_.channels; ++channel) {
        double largest = 0;
        double sum = 0;
        for (unsigned i = 0; i < quad.count; ++i)
            if (quad.weights[i] != 0) largest = std::max(largest, std::fabs(quad.values[i][channel]));
        const bool cuts = (reading_ == Reading::kFloat || is_half(channel)) && largest > 0 && std::isfinite(largest);
        const int exponent = !cuts ? 0 : channel < srgb_channels_ ? exponent_of_colour(largest) : std::ilogb(largest);
        const double unit = cuts ? std::ldexp(1.0, exponent - kept_bits(channel)) : 0;
        for (unsigned i = 0; i < quad.count; ++i) {
            if (quad.weights[i] == 0) continue;
            const double value = quad.values[i][channel];
            sum += (cuts ? std::trunc(value / unit) * unit : value) * quad.weights[i];
        }
        sums_[channel] += sum;
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
            numbers[channel] = static_cast<float>(std::floor(sum + 0.5) / kUnsignedOne);
            continue;
        }
        const double units = format_.bits == 8
                                 ? static_cast<double>(in_signed_units(static_cast<std::int64_t>(sums_[channel])))
                                 : std::floor(sum + 0.5);
        numbers[channel] = static_cast<float>(std::max(units, -kSignedOne) / kSignedOne);
    }
    return numbers;
}

}  // namespace tilescope::texture
