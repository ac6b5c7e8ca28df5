// What each .approx instruction makes of the special function unit, as ptxas expands it for sm_90 (CUDA 13.0).
//
// Guarantees: an NVIDIA H200's bits for all 2^32 inputs of each function of one f32, and of the upper words of the f64
// functions (driver 580.159.04, 28 November 2026; tests/isa/approximate_test.cpp). Straight code, one lane at a time.
// Does not model: other GPUs' tables and expansions; the H200's are assumed.
#pragma once

#include "scope/base/function_unit.h"
#include "scope/base/reciprocal_unit.h"
#include "scope/isa/families/float_lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// Without .ftz, ptxas scales an operand whose result the unit would flush, and scales the result back.
TILESCOPE_LANE bool is_tiny(float a) { return __builtin_fabsf(a) < 0x1p-126f; }
inline constexpr float kUp = 0x1p24f;

TILESCOPE_LANE float exp2_lane(float a) {
    const bool is_small = a < -126.0f;
    const float r = unit_exp2(is_small ? a * 0.5f : a);
    return is_small ? r * r : r;
}
TILESCOPE_LANE float log2_lane(float a) {
    const float r = unit_log2(is_tiny(a) ? a * kUp : a);
    return canonical(is_tiny(a) ? r - 24.0f : r);
}
TILESCOPE_LANE float sqrt_lane(float a) {
    const float r = unit_sqrt(is_tiny(a) ? a * kUp : a);
    return canonical(is_tiny(a) ? r * 0x1p-12f : r);
}
TILESCOPE_LANE float rsqrt_lane(float a) {
    const float r = unit_rsqrt(is_tiny(a) ? a * kUp : a);
    return canonical(is_tiny(a) ? r * 0x1p12f : r);
}
// The unit counts in turns. The product with 1/(2 pi) is rounded toward zero, and so is the angle within a turn, so the
// absolute error grows with the angle.
TILESCOPE_LANE float turns_of(float a) {
    constexpr float kPerRadian = 0x1.45f306p-3f;
    return unit::cut(static_cast<double>(a) * static_cast<double>(kPerRadian));
}
TILESCOPE_LANE float sine_lane(float a) { return unit_sine(turns_of(a), 0); }
TILESCOPE_LANE float cosine_lane(float a) { return unit_sine(turns_of(a), 1); }

// The f64 functions read the upper word of their operand, and give the upper word of their result.
inline constexpr std::uint64_t kUpperWord = 0xffffffff00000000u;

struct UpperParts {
    std::uint64_t sign;
    std::int64_t exponent;   // biased
    std::uint32_t fraction;  // of a float
};
TILESCOPE_LANE UpperParts upper_parts(double a) {
    const std::uint64_t bits = bits_of(a);
    return {bits & std::uint64_t{1} << 63, static_cast<std::int64_t>(bits >> 52 & 2047u),
            static_cast<std::uint32_t>(bits >> 29) & 0x7ffff8u};
}
inline constexpr std::uint64_t kUpperNan = 0x7fffffff00000000u, kUpperInfinity = 0x7ff0000000000000u;

TILESCOPE_LANE bool is_upper_nan(double a) {
    return (bits_of(a) & kUpperWord & ~(std::uint64_t{1} << 63)) > kUpperInfinity;
}

TILESCOPE_LANE double upper_rcp(double a) {
    const UpperParts parts = upper_parts(a);
    const std::uint64_t one = bits_of(static_cast<double>(reciprocal_significand(parts.fraction)) * 0x1p-24);
    const std::int64_t exponent = static_cast<std::int64_t>(one >> 52) + 1023 - parts.exponent;
    std::uint64_t bits = ((one & 0x000fffff00000000u) | static_cast<std::uint64_t>(exponent) << 52);
    bits = exponent < 1 ? 0 : bits;
    bits = parts.exponent == 0 ? kUpperInfinity : bits;
    return double_of(is_upper_nan(a) ? kUpperNan : (parts.exponent == 2047 ? 0 : bits) | parts.sign);
}

TILESCOPE_LANE double upper_rsqrt(double a) {
    const UpperParts parts = upper_parts(a);
    const std::int64_t power = parts.exponent + 1;  // odd powers of two have an odd exponent less the bias
    const auto odd = static_cast<std::uint32_t>(power & 1);
    const float root = unit_rsqrt(float_of((127u + odd) << 23 | parts.fraction));
    std::uint64_t bits = bits_of(static_cast<double>(root)) & kUpperWord;
    bits -= static_cast<std::uint64_t>((power >> 1) - 512) << 52;
    bits = parts.exponent == 2047 ? 0 : bits;
    bits = parts.sign != 0 ? kUpperNan : bits;
    bits = parts.exponent == 0 ? kUpperInfinity | parts.sign : bits;
    return double_of(is_upper_nan(a) ? kUpperNan : bits);
}

// One step of a third-order iteration from the unit's value.
TILESCOPE_LANE double rsqrt_double(double a) {
    const bool is_small = __builtin_fabs(a) < 0x1p-1022;
    const double x = is_small ? a * 0x1p54 : a, start = upper_rsqrt(x);
    const double error = fused(-(start * start), x, 1.0);
    const double refined = fused(fused(error, 0.375, 0.5), start * error, start);
    double r = is_small ? refined * 0x1p27 : refined;
    r = a == 0.0 ? __builtin_copysign(__builtin_inf(), a) : r;
    r = a == __builtin_inf() ? 0.0 : r;
    r = a < 0.0 ? double_of(0xfff8000000000000u) : r;
    return a != a ? quiet(a) : r;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
