#include "scope/texture/format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tilescope::texture {
namespace {

template <class T>
T at_index(const std::byte* at, unsigned index) {
    T value;
    std::memcpy(&value, at + index * sizeof(T), sizeof(T));
    return value;
}

// Without what a half does not hold.
std::uint16_t half_cut_of(float value) {
    const std::uint16_t nearest = float_to_half(value);
    const bool is_larger = std::fabs(half_to_float(nearest)) > std::fabs(value);
    return is_larger ? static_cast<std::uint16_t>(nearest - 1) : nearest;
}

}  // namespace

std::uint32_t raw_channel(const Format& format, const std::byte* at, unsigned index) {
    const bool has_sign = format.channel == Channel::kSigned;
    switch (format.bits) {
        case 8:
            return has_sign ? static_cast<std::uint32_t>(at_index<std::int8_t>(at, index))
                            : at_index<std::uint8_t>(at, index);
        case 16:
            return has_sign ? static_cast<std::uint32_t>(at_index<std::int16_t>(at, index))
                            : at_index<std::uint16_t>(at, index);
        default: return at_index<std::uint32_t>(at, index);
    }
}

float read_channel(const Format& format, Reading reading, const std::byte* at, unsigned index) {
    const std::uint32_t bits = raw_channel(format, at, index);
    if (reading == Reading::kFloat)
        return format.bits == 16 ? half_to_float(static_cast<std::uint16_t>(bits)) : std::bit_cast<float>(bits);
    if (format.channel == Channel::kUnsigned)
        return static_cast<float>(static_cast<double>(bits) / (format.bits == 8 ? 255.0 : 65535.0));
    const double value = static_cast<std::int32_t>(bits);
    return static_cast<float>(std::max(-1.0, value / (format.bits == 8 ? 127.0 : 32767.0)));
}

Texel read(const Format& format, Reading reading, const std::byte* at) {
    Texel texel{};
    for (unsigned i = 0; i < format.channels; ++i)
        texel[i] = reading == Reading::kBits ? raw_channel(format, at, i)
                                             : std::bit_cast<std::uint32_t>(read_channel(format, reading, at, i));
    return texel;
}

std::array<std::byte, 16> border_texel(const Format& format, Reading reading, const std::array<float, 4>& colour) {
    std::array<std::byte, 16> texel{};
    for (unsigned i = 0; i < format.channels; ++i) {
        std::uint32_t raw = std::bit_cast<std::uint32_t>(colour[i]);  // of integers its low bits count
        if (reading == Reading::kNormalised) {
            const bool has_sign = format.channel == Channel::kSigned;
            const float most = static_cast<float>((1u << (format.bits - (has_sign ? 1 : 0))) - 1);
            const float number = std::isnan(colour[i]) ? 0 : std::clamp(colour[i], has_sign ? -1.0f : 0.0f, 1.0f);
            raw = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::nearbyint(number * most)));
        } else if (format.channel == Channel::kFloat && format.bits == 16) {
            raw = half_cut_of(colour[i]);
        }
        std::memcpy(texel.data() + i * (format.bits / 8u), &raw, format.bits / 8u);
    }
    return texel;
}

void write_channel(const Format& format, std::byte* texel, unsigned channel, std::uint32_t bits) {
    std::uint32_t value = bits;
    if (format.channel == Channel::kFloat && format.bits == 16) value = float_to_half(std::bit_cast<float>(bits));
    if (format.channel == Channel::kUnsigned && format.bits < 32) value = std::min(bits, (1u << format.bits) - 1);
    if (format.channel == Channel::kSigned && format.bits < 32) {
        const std::int32_t most = (1 << (format.bits - 1)) - 1;
        value = static_cast<std::uint32_t>(std::clamp(static_cast<std::int32_t>(bits), -most - 1, most));
    }
    std::memcpy(texel + channel * (format.bits / 8u), &value, format.bits / 8u);
}

float half_to_float(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float small = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -small : small;
}

std::uint16_t float_to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return 0x7fff;
    if (magnitude >= 0x477ff000u) return sign | 0x7c00u;
    const float scaled = std::bit_cast<float>(magnitude);
    if (magnitude < 0x38800000u)  // below the smallest normal half: units of 2^-24
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(scaled * 0x1p24f)));
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

}  // namespace tilescope::texture
