// What the texture unit makes of texels and their weights.
//
// Guarantees: bit by bit what an H200 gave (driver 580, 27 November 2026; bench/hardware/textures.cu), except where
// docs/reference/fidelity.md says otherwise.
#pragma once

#include <array>
#include <cstdint>

#include "scope/texture/addressing.h"
#include "scope/texture/format.h"

namespace tilescope::texture {

// Splits a weight of 256ths between two texels along x: what the second gets.
inline int share(int weight, int fraction) { return (weight * fraction + kWholeWeight / 2) >> kWeightBits; }
// Likewise along y. Between the two texels of a column the halves go to the first row in the first column.
inline int share_rows(int weight, int fraction, bool is_second_column) {
    return (weight * fraction + kWholeWeight / 2 - (is_second_column ? 0 : 1)) >> kWeightBits;
}

// Up to four texels of one slice, and their weights.
struct Quad {
    std::array<std::array<double, 4>, 4> values{};  // by texel and channel
    std::array<int, 4> weights{};
    unsigned count = 0;
};

// The same of texels as they lie in memory, whose weights sum to the whole.
struct FlatQuad {
    const std::byte* texels[4];
    int weights[4];
    unsigned count = 0;
};

// The sum of all of a fetch's texels.
class Sum {
public:
    Sum(const Format& format, Reading reading, unsigned srgb_channels)
        : format_(format), reading_(reading), srgb_channels_(srgb_channels) {}
    // Floats are cut where they are 2^27 times below the largest of the slice that counts, halves at 2^14, colours of
    // sRGB at 2^7.
    void add(const Quad& quad);
    std::array<float, 4> result() const;

    // All at once, of the formats that most textures have: the same as add() and result().
    static bool can_do_plainly(const Format& format, Reading reading, unsigned srgb_channels) {
        if (reading == Reading::kFloat) return format.bits == 32;
        return reading == Reading::kNormalised && format.channel == Channel::kUnsigned && srgb_channels == 0;
    }
    static std::array<float, 4> of(const Format& format, const FlatQuad& quad);

private:
    // Halves are summed as such, and so are the colours of sRGB.
    bool is_half(unsigned channel) const {
        return (reading_ == Reading::kFloat && format_.bits == 16) || channel < srgb_channels_;
    }

    int kept_bits(unsigned channel) const;

    Format format_;
    Reading reading_;
    unsigned srgb_channels_;
    std::array<double, 4> sums_{};
};

// A texel's channels as the sum wants them: integers that are read as numbers come as 16 bits, but signed ones of 8.
void to_be_filtered(const Format& format, Reading reading, unsigned srgb_channels, const std::byte* texel,
                    double* values);

}  // namespace tilescope::texture
