// What a texel is made of, and how its channels become the 32 bits that an instruction gets.
//
// Guarantees: the four results of read() are what the card gives (tests/texture). Does not model: block-compressed and
// planar formats, which are refused where arrays are made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tilescope::texture {

enum class Channel : std::uint8_t { kSigned, kUnsigned, kFloat };

struct Format {
    Channel channel = Channel::kFloat;
    std::uint8_t channels = 1;  // 1, 2 or 4
    std::uint8_t bits = 32;     // of each: 8, 16 or 32

    unsigned bytes() const { return channels * bits / 8u; }
    // Whether a texel can be read as a number from 0 or -1 to 1.
    bool can_normalise() const { return channel != Channel::kFloat && bits <= 16; }
    bool operator==(const Format&) const = default;
};

// What a texel becomes.
enum class Reading : std::uint8_t {
    kBits,        // integers as they are, extended to 32 bits
    kFloat,       // floating-point numbers
    kNormalised,  // integers as numbers from 0 or -1 to 1
};

// Four channels: the bits of integers or of floats.
using Texel = std::array<std::uint32_t, 4>;

// Channels that the format lacks are 0.
Texel read(const Format& format, Reading reading, const std::byte* at);
// One channel of a texel: its bits, extended; and, of kFloat and kNormalised, the number.
std::uint32_t raw_channel(const Format& format, const std::byte* at, unsigned channel);
float read_channel(const Format& format, Reading reading, const std::byte* at, unsigned channel);
// The texel that stands for a border of this colour.
std::array<std::byte, 16> border_texel(const Format& format, Reading reading, const std::array<float, 4>& colour);

// Puts 32 bits into a channel: numbers become its own kind, integers the nearest that it holds.
void write_channel(const Format& format, std::byte* texel, unsigned channel, std::uint32_t bits);

float half_to_float(std::uint16_t bits);
std::uint16_t float_to_half(float value);  // to the nearest, ties to even
// What sRGB's curve makes of a channel of 8 bits (srgb.cpp).
float linear_of_srgb(std::uint8_t value);

}  // namespace tilescope::texture
