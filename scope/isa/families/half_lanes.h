// f16 and bf16 values as lanes: widening, and narrowing with one correct rounding.
//
// Guarantees: the same bits on every target; a NaN narrows to 0x7fff, as on an H200. All arithmetic here assumes the
// host rounds to nearest, except round_to_grid(), which follows whatever rounding is set.
#pragma once

#include "scope/isa/families/float_lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

inline constexpr std::uint16_t kNanHalf = 0x7fff;  // of both formats

// a + b rounded to odd: exact, or the neighbour whose last bit is one. A later rounding to a format at least two bits
// shorter is then the one correct rounding of the sum.
TILESCOPE_LANE float odd_sum(float a, float b) {
    const float sum = a + b, part = sum - a;
    const float error = (a - (sum - part)) + (b - part);
    const std::uint32_t bits = bits_of(sum);
    const bool inexact = (error > 0.0f) | (error < 0.0f), outward = (error > 0.0f) == (sum > 0.0f);
    return float_of((inexact && !(bits & 1)) ? (outward ? bits + 1 : bits - 1) : bits);
}
TILESCOPE_LANE double odd_sum(double a, double b) {
    const double sum = a + b, part = sum - a;
    const double error = (a - (sum - part)) + (b - part);
    const std::uint64_t bits = bits_of(sum);
    const bool inexact = (error > 0.0) | (error < 0.0), outward = (error > 0.0) == (sum > 0.0);
    return double_of((inexact && !(bits & 1)) ? (outward ? bits + 1 : bits - 1) : bits);
}
TILESCOPE_LANE float odd_float(double x) {
    const float near = static_cast<float>(x);
    const std::uint32_t bits = bits_of(near);
    const double back = near, size = __builtin_fabs(x);
    const bool inexact = (back < x) | (back > x), outward = size > __builtin_fabs(back);
    return float_of((inexact && !(bits & 1)) ? (outward ? bits + 1 : bits - 1) : bits);
}

struct F16 {
    static constexpr std::uint16_t kInfinity = 0x7c00, kLargest = 0x7bff, kLeastNormal = 0x0400;

    TILESCOPE_LANE static float widen(std::uint16_t h) {
        const std::uint32_t size = h & 0x7fffu, sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
        std::uint32_t bits = bits_of(float_of(size << 13) * 0x1p112f);  // exact, subnormal ones included
        bits = size >= kInfinity ? 0x7f800000u | size << 13 : bits;
        return float_of(bits | sign);
    }
    TILESCOPE_LANE static std::uint16_t narrow(float x) {
        const std::uint32_t all = bits_of(x), size = all & 0x7fffffffu, sign = all >> 16 & 0x8000u;
        const std::uint32_t normal = (size + 0xc8000fffu + (size >> 13 & 1)) >> 13;  // exponent less 112, half an ulp
        const std::uint32_t tiny = bits_of(float_of(size) + 0.5f) - bits_of(0.5f);   // 0.5's ulp is the least f16
        std::uint32_t r = size < 0x38800000u ? tiny : normal;
        r = size >= 0x477ff000u ? kInfinity : r;
        return static_cast<std::uint16_t>(size > 0x7f800000u ? kNanHalf : r | sign);
    }
    // Rounded toward zero, as an f32; numbers above the largest f16 stay above.
    TILESCOPE_LANE static float cut(float x) {
        const float size = __builtin_fabsf(x), below = size < 0x1p-14f ? size : 0.0f;
        const float tiny = static_cast<float>(static_cast<std::int32_t>(below * 0x1p24f)) * 0x1p-24f;
        const float normal = float_of(bits_of(size) & (size < 0x1p16f ? 0xffffe000u : 0xffffffffu));
        return __builtin_copysignf(size < 0x1p-14f ? tiny : normal, x);
    }
    // a * b is exact in f32 and the sum is rounded once, to odd.
    TILESCOPE_LANE static float multiply_add(float a, float b, float c) { return odd_sum(a * b, c); }
    // Below this magnitude a result is subnormal even once rounded to 11 bits.
    static constexpr float kTiny = 0x1.ffep-15f;
};

struct Bf16 {
    static constexpr std::uint16_t kInfinity = 0x7f80, kLargest = 0x7f7f, kLeastNormal = 0x0080;

    TILESCOPE_LANE static float widen(std::uint16_t h) { return float_of(static_cast<std::uint32_t>(h) << 16); }
    TILESCOPE_LANE static std::uint16_t narrow(float x) {
        const std::uint32_t bits = bits_of(x);
        const std::uint32_t r = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
        return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? kNanHalf : r);
    }
    // Rounded toward zero, as an f32.
    TILESCOPE_LANE static float cut(float x) {
        return float_of(bits_of(x) & (__builtin_fabsf(x) < __builtin_inff() ? 0xffff0000u : 0xffffffffu));
    }
    // The product of two 8-bit significands leaves the range of f32, not that of f64.
    TILESCOPE_LANE static float multiply_add(float a, float b, float c) {
        return odd_float(odd_sum(static_cast<double>(a) * b, static_cast<double>(c)));
    }
    static constexpr float kTiny = 0x1.ffp-127f;
};

// x as a multiple of the step that a format with `Digits` significant bits and least normal exponent `Least` has
// there, in the host's current rounding; the sign stays. Infinities, NaNs and overflow are the caller's.
template <int Digits, int Least>
TILESCOPE_LANE double round_to_grid(double x) {
    const std::uint64_t sign = std::uint64_t{1} << 63, all = bits_of(x);
    std::uint64_t exponent = all >> 52 & 0x7ff;
    exponent = exponent < 1023 + Least ? 1023 + Least : exponent;
    exponent = exponent > 1023 + 140 ? 1023 + 140 : exponent;  // beyond every such format
    // 1.5 * 2^52 steps of x's sign: adding it leaves no room for anything below a step.
    const double shift = double_of((all & sign) | (exponent + 53 - Digits) << 52 | std::uint64_t{1} << 51);
    const double rounded = (x + shift) - shift;
    return double_of((bits_of(rounded) & ~sign) | (all & sign));
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
