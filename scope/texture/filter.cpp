#include "scope/texture/filter.h"

#include <algorithm>
#include <bit>
#include <cmath>

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

}  // namespace

double to_be_filtered(const Format& format, Reading reading, unsigned srgb_channels, unsigned channel,
                      const std::byte* texel) {
    if (channel >= format.channels) return 0;
    if (reading != Reading::kNormalised) return read_channel(format, reading, texel, channel);
    const auto bits = static_cast<std::int32_t>(raw_channel(format, texel, channel));
    if (channel < srgb_channels) return linear_of_srgb(static_cast<std::uint8_t>(bits));
    if (format.channel == Channel::kUnsigned) return format.bits == 8 ? bits * 257.0 : bits;
    return format.bits == 8 ? std::max(bits, -127) * (kSignedOne / 127) : std::max(bits, -32767);
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
        const double unit = cuts ? std::ldexp(1.0, std::ilogb(largest) - kept_bits(channel)) : 0;
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
        const double one = format_.channel == Channel::kUnsigned ? kUnsignedOne : kSignedOne;
        numbers[channel] = static_cast<float>(std::floor(sum + 0.5) / one);
    }
    return numbers;
}

}  // namespace tilescope::texture
