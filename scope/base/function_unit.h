// The special function unit of a GPU: sine, cosine, 2^x, log2, square roots and tanh of a float, to the bit.
//
// Guarantees: the bits of an NVIDIA H200 (sm_90, driver 580.159.04, 28 November 2026). Digests of all 2^32 inputs of
// each PTX instruction built from these functions agree (tests/isa/approximate_test.cpp). The functions have no
// branches, so lanes of a warp run together. Subnormal inputs count as zero, and subnormal results become zero, except
// in unit_tanh. Does not model: tables of other GPUs; the H200's are assumed for all.
//
// The unit splits its input into a step, which selects three coefficients, and 17 bits within the step. It sums value +
// slope * within + bend * square, where the square lacks its low bits, and cuts the sum to 24 significant bits.
#pragma once

#include <bit>
#include <cstdint>

#include "scope/base/function_tables.h"

namespace tilescope {

#define TILESCOPE_UNIT [[gnu::always_inline]] inline

namespace unit {

inline constexpr std::uint32_t kSign = 0x80000000u, kInfinity = 0x7f800000u, kNan = 0x7fffffffu, kFraction = 0x7fffffu;
inline constexpr std::uint32_t kOne = 0x3f800000u, kSmallestNormal = 0x00800000u;
inline constexpr int kWithinBits = 17;
inline constexpr std::uint32_t kWithin = (1u << kWithinBits) - 1;

// The square of 17 bits in 2^19, summed from products of two bits. Products below 2^19 are left out. A product of two
// different bits counts twice.
TILESCOPE_UNIT std::uint32_t square(std::uint32_t within) {
    const std::uint32_t high = within >> 9;
    std::uint32_t sum = high * high >> 1;
    for (unsigned bit = 2; bit < 9; ++bit) sum += (0u - (within >> bit & 1u)) & within >> (18 - bit);
    return sum;
}

// The sum for 17 bits within a step. Its terms are exact in double precision. GCC 12 gathers from pointers, but doesn't
// vectorize loops that index the table's own arrays.
template <std::size_t kSteps>
TILESCOPE_UNIT double interpolate(const InterpolationTable<kSteps>& table, std::uint32_t step, std::uint32_t within) {
    const auto linear = static_cast<double>(static_cast<std::int32_t>(within));
    const auto quadratic = static_cast<double>(static_cast<std::int32_t>(square(within)));
    const double *const value = table.value, *const slope = table.slope, *const bend = table.bend;
    return value[step] + slope[step] * linear + bend[step] * quadratic;
}

// Rounds toward zero, for results that are normal or zero.
TILESCOPE_UNIT float cut(double x) {
    constexpr std::uint64_t kBelowFloat = (std::uint64_t{1} << 29) - 1;
    return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~kBelowFloat));
}

}  // namespace unit

// The sine of x turns (quarters 0), or the cosine (quarters 1).
TILESCOPE_UNIT float unit_sine(float x, std::uint32_t quarters) {
    using namespace unit;
    const std::uint32_t given = std::bit_cast<std::uint32_t>(x), size = given & ~kSign;
    // Larger numbers are whole turns.
    const float near = size < 0x4b000000u ? std::bit_cast<float>(size) : 0.0f;
    const float turn = near - static_cast<float>(static_cast<std::int32_t>(near));
    const auto angle = static_cast<std::uint32_t>(static_cast<std::int32_t>(turn * 0x1p25f));
    const std::uint32_t quarter = (angle >> 23) + quarters;
    // Odd quarters run backward.
    const std::uint32_t within = (angle ^ (0u - (quarter & 1u))) & kFraction;
    const float sine = cut(interpolate(kSineTable, within >> kWithinBits, within & kWithin));
    const std::uint32_t sign = (quarter << 30 & kSign) ^ (quarters == 0 ? given & kSign : 0u);
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(sine) ^ sign;
    return std::bit_cast<float>(size >= kInfinity ? kNan : bits);
}

TILESCOPE_UNIT float unit_exp2(float x) {
    using namespace unit;
    constexpr float kEnough = 200.0f;  // overflows or underflows, and fits
    const float size = __builtin_fabsf(x);
    const auto fixed = static_cast<std::int32_t>((size < kEnough ? size : kEnough) * 0x1p23f);
    // A negative number is complemented bit by bit, so that its fraction is 2^-23 too small, unless it is whole.
    const bool is_whole = (static_cast<std::uint32_t>(fixed) & kFraction) == 0;
    const std::int32_t negative = is_whole ? -fixed : ~fixed;
    const std::int32_t exponent = x < 0.0f ? negative : fixed;
    const std::uint32_t fraction = static_cast<std::uint32_t>(exponent) & kFraction;
    const float power = cut(interpolate(kExp2Table, fraction >> kWithinBits, fraction & kWithin));
    const std::int32_t whole = exponent >> 23;
    std::uint32_t bits = std::bit_cast<std::uint32_t>(power) + (static_cast<std::uint32_t>(whole) << 23);
    bits = whole > 127 ? kInfinity : bits;
    bits = whole < -126 ? 0u : bits;
    return std::bit_cast<float>(x != x ? kNan : bits);
}

TILESCOPE_UNIT float unit_log2(float x) {
    using namespace unit;
    constexpr std::int32_t kBias = 127;
    const std::uint32_t given = std::bit_cast<std::uint32_t>(x), fraction = given & kFraction;
    const std::int32_t whole = static_cast<std::int32_t>(given >> 23) - kBias;
    // The sum ends at 2^-36, and a negative one is complemented bit by bit. Its terms are multiples of 2^-38.
    constexpr double kHalfStep = 0x1.8p-38, kEndsAt = 0x1p-36, kToEnd = 0x1.8p16;
    double sum = static_cast<double>(whole) + interpolate(kLog2Table, fraction >> kWithinBits, fraction & kWithin);
    sum = (sum - kHalfStep + kToEnd) - kToEnd;
    sum += sum < 0.0 ? kEndsAt : 0.0;
    std::uint32_t bits = std::bit_cast<std::uint32_t>(cut(sum));
    bits = given == kOne ? 0u : bits;
    bits = given >= kInfinity ? kNan : bits;  // negative ones too
    bits = given == kInfinity ? kInfinity : bits;
    return std::bit_cast<float>((given & ~kSign) < kSmallestNormal ? kSign | kInfinity : bits);
}

TILESCOPE_UNIT float unit_sqrt(float x) {
    using namespace unit;
    const std::uint32_t given = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t power = (given >> 23) + 1;  // exponent + 128; odd powers of two have the upper half
    const std::uint32_t step = (power & 1u) << 6 | (given >> kWithinBits & 63u);
    const float root = cut(interpolate(kRootTable, step, given & kWithin));
    std::uint32_t bits = std::bit_cast<std::uint32_t>(root) + (((power >> 1) - 64u) << 23);
    bits = given >= kInfinity ? kNan : bits;
    bits = given == kInfinity ? kInfinity : bits;
    return std::bit_cast<float>((given & ~kSign) < kSmallestNormal ? given & kSign : bits);
}

TILESCOPE_UNIT float unit_rsqrt(float x) {
    using namespace unit;
    const std::uint32_t given = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t power = (given >> 23) + 1;
    const std::uint32_t step = (power & 1u) << 6 | (given >> kWithinBits & 63u);
    const float root = cut(interpolate(kInverseRootTable, step, given & kWithin));
    std::uint32_t bits = std::bit_cast<std::uint32_t>(root);
    bits = ((given & kFraction) | (power & 1u)) == 0 ? kOne : bits;  // exact for powers of four
    bits -= ((power >> 1) - 64u) << 23;
    bits = given >= kInfinity ? kNan : bits;
    bits = given == kInfinity ? 0u : bits;
    return std::bit_cast<float>((given & ~kSign) < kSmallestNormal ? (given & kSign) | kInfinity : bits);
}

TILESCOPE_UNIT float unit_tanh(float x) {
    using namespace unit;
    constexpr std::uint32_t kFirst = 119, kLast = 129;  // exponents of 2^-8 and 4
    constexpr std::uint32_t kFirstStep[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
    constexpr std::uint32_t kSteps[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 16, 8};
    const std::uint32_t given = std::bit_cast<std::uint32_t>(x), size = given & ~kSign;
    std::uint32_t exponent = size >> 23;
    exponent = exponent < kFirst ? kFirst : exponent;
    exponent = (exponent > kLast ? kLast : exponent) - kFirst;
    const std::uint32_t scaled = (size & kFraction) * kSteps[exponent];
    const std::uint32_t step = kFirstStep[exponent] + (scaled >> 23);
    const float sum = cut(interpolate(kTanhTable, step, (scaled & kFraction) >> 6));
    std::uint32_t bits = std::bit_cast<std::uint32_t>(sum);
    bits = size < kFirst << 23 ? size : bits;
    bits = size >= (kLast + 1) << 23 ? kOne : bits;
    return std::bit_cast<float>(size > kInfinity ? kNan : bits | (given & kSign));
}

#undef TILESCOPE_UNIT

}  // namespace tilescope
