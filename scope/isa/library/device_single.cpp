// Device library: single-precision functions that nvcc's library computes by short sequences of fused multiply-adds.
//
// Guarantees: nvcc's operations in nvcc's order (13.0, for sm_90), so the bits of an H200 for sinf, cosf, tanf, expf,
// exp10f, logf, log2f, log10f, tanhf and powf (tests/isa/device_single_test.cpp). Does not model: -ftz=true, which
// flushes subnormal arguments and results of these functions through nvcc.
#include "scope/isa/library/device_single.h"

#include <bit>
#include <cmath>

#include "scope/base/function_unit.h"
#include "scope/base/reciprocal_unit.h"

namespace tilescope::isa::device {
namespace {

// A coefficient by its bits.
constexpr F32 of(U32 bits) { return std::bit_cast<F32>(bits); }
F32 fused(F32 a, F32 b, F32 c) { return std::fma(a, b, c); }
F32 canonical(F32 a) { return std::isnan(a) ? of(0x7fffffffu) : a; }
F32 flushed(F32 a) { return std::fabs(a) < 0x1p-126f ? std::copysign(0.0f, a) : a; }
F32 unit_reciprocal(F32 a) { return flushed(approximate_reciprocal(flushed(a))); }

// Horner's scheme from the coefficient of the highest power on.
template <std::size_t kCount>
F32 polynomial(F32 x, const U32 (&coefficients)[kCount]) {
    F32 sum = of(coefficients[0]);
    for (std::size_t i = 1; i < kCount; ++i) sum = fused(sum, x, of(coefficients[i]));
    return sum;
}

// ---- sine, cosine, tangent ---------------------------------------------------------------------------------------

// An angle less the nearest multiple of a quarter turn, and the number of quarters.
struct Reduced {
    F32 angle;
    S32 quarters;
};

// Payne and Hanek: the product with 192 bits of 2/pi, of which the two words below the units' place count.
Reduced reduce_large(F32 a) {
    constexpr U32 kTwoOverPi[] = {0x3c439041, 0xdb629599, 0xf534ddc0, 0xfc2757d1, 0x4e441529, 0xa2f9836e};
    constexpr std::size_t kWords = std::size(kTwoOverPi);
    const auto bits = std::bit_cast<U32>(a);
    const U32 exponent = (bits >> 23 & 255) - 128, significand = bits << 8 | 0x80000000u;
    U32 product[kWords + 1];
    U64 carry = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
        carry += U64{kTwoOverPi[i]} * significand;
        product[i] = static_cast<U32>(carry);
        carry >>= 32;
    }
    product[kWords] = static_cast<U32>(carry);
    const U32 word = exponent >> 5, shift = exponent & 31;
    const auto at = [&](U32 place) { return product[place - word]; };
    const U32 high = shift == 0 ? at(6) : at(6) << shift | at(5) >> (32 - shift);
    const U32 low = shift == 0 ? at(5) : at(5) << shift | at(4) >> (32 - shift);
    U64 fraction = (U64{high} << 32 | low) << 2;  // of a quarter turn, in 2^-64
    const bool past_half = fraction >> 63 != 0, is_negative = bits >> 31 != 0;
    const auto quarters = static_cast<S32>((high >> 30) + (past_half ? 1 : 0));
    if (past_half) fraction = ~fraction;
    constexpr F64 kScale = 0x1.921fb54442d19p-64;  // pi / 2 in 2^-64
    const auto angle = static_cast<F32>(static_cast<F64>(static_cast<S64>(fraction)) * kScale);
    return {past_half != is_negative ? -angle : angle, is_negative ? -quarters : quarters};
}

Reduced reduce(F32 a) {
    constexpr F32 kLargest = 105615.0f;
    if (std::isinf(a)) return {a * 0.0f, 0};
    if (std::fabs(a) >= kLargest) return reduce_large(a);
    const F32 nearest = std::isnan(a) ? 0.0f : std::rint(a * of(0x3f22f983));
    // pi / 2 in three parts.
    const F32 angle = fused(nearest, of(0xa7c234c5), fused(nearest, of(0xb3a22168), fused(nearest, of(0xbfc90fda), a)));
    return {angle, static_cast<S32>(nearest)};
}

F32 sine_of_quarters(const Reduced& reduced, S32 more) {
    const S32 quarters = reduced.quarters + more;
    const bool is_sine = (quarters & 1) == 0;
    const F32 first = is_sine ? reduced.angle : 1.0f, square = reduced.angle * reduced.angle;
    const F32 sum = is_sine ? polynomial(square, {0xb94d4153, 0x3c0885e4, 0xbe2aaaa8})
                            : polynomial(square, {0x37cbac00, 0xbab607ed, 0x3d2aaabb, 0xbeffffff});
    const F32 sine = fused(sum, fused(square, first, 0.0f), first);
    return canonical((quarters & 2) == 0 ? sine : fused(sine, -1.0f, 0.0f));
}

// ---- logarithms --------------------------------------------------------------------------------------------------

// A number as 2^exponent * (1 + fraction), with the fraction about 0.
struct Split {
    F32 scaled, exponent, fraction;
};
Split split(F32 a, U32 lowest) {
    const bool is_small = a < 0x1p-126f;
    const F32 scaled = is_small ? a * 0x1p23f : a;
    const auto bits = std::bit_cast<U32>(scaled);
    const U32 power = (bits - lowest) & 0xff800000u;
    return {scaled, fused(static_cast<F32>(static_cast<S32>(power)), 0x1p-23f, is_small ? -23.0f : 0.0f),
            of(bits - power) - 1.0f};
}
// Arguments that have no logarithm, or an infinite one.
F32 logarithm_or_limit(F32 scaled, F32 logarithm) {
    if (scaled == 0.0f) return -HUGE_VALF;
    if (std::bit_cast<U32>(scaled) >= 0x7f800000u) return canonical(fused(scaled, HUGE_VALF, HUGE_VALF));
    return logarithm;
}

}  // namespace

F32 single_sine(F32 a) { return sine_of_quarters(reduce(a), 0); }
F32 single_cosine(F32 a) { return sine_of_quarters(reduce(a), 1); }

F32 single_tangent(F32 a) {
    const Reduced reduced = reduce(a);
    const F32 angle = reduced.angle, square = angle * angle;
    const F32 sum = polynomial(square, {0x3c190000, 0x3b560000, 0x3cc70000, 0x3d5b0000, 0x3e089438, 0x3eaaaa88});
    const F32 tangent = std::fabs(angle) == of(0x3a00b43c) ? angle : fused(sum, square * angle, angle);
    return canonical((reduced.quarters & 1) == 0 ? tangent : unit_reciprocal(-tangent));
}

F32 single_log(F32 a) {
    const Split parts = split(a, 0x3f2aaaab);
    const F32 f = parts.fraction;
    const F32 sum = polynomial(f, {0xbe055027, 0x3e1039f6, 0xbdf8cdcc, 0x3e0f2955, 0xbe2ad8b9, 0x3e4ced0b, 0xbe7fff22,
                                   0x3eaaaa78, 0xbf000000});
    return logarithm_or_limit(parts.scaled, fused(parts.exponent, of(0x3f317218), fused(f * sum, f, f)));
}
F32 single_log10(F32 a) {
    const F32 natural = single_log(a);
    return std::isnan(natural) ? natural : natural * of(0x3ede5bd9);
}
F32 single_log2(F32 a) {
    const Split parts = split(a, 0x3f3504f3);
    const F32 f = parts.fraction;
    const F32 sum = polynomial(f, {0x3dc6b27f, 0xbe2c7f30, 0x3e2fcf2a, 0xbe374e43, 0x3e520bf4, 0xbe763c8b, 0x3e93bf99,
                                   0xbeb8aa49, 0x3ef6384a, 0xbf38aa3b});
    return logarithm_or_limit(parts.scaled, parts.exponent + fused(f, of(0x3fb8aa3b), f * (f * sum)));
}

// ---- others ------------------------------------------------------------------------------------------------------

namespace {

// 2^(a * log2), with log2 in two parts. The whole part is the low bits of a sum with 1.5 * 2^23, rounded down.
F32 power_of(F32 a, F32 log2_scaled, F32 log2_high, F32 log2_low) {
    constexpr F32 kExponents = 252, kMagic = 0x1.8p23f;
    const F32 sum_scaled = fused(a, log2_scaled, 0.5f);
    const F32 scaled = sum_scaled > 0.0f ? std::fmin(sum_scaled, 1.0f) : 0.0f;
    const F32 sum = static_cast<F32>(std::floor(static_cast<F64>(scaled) * kExponents)) + (kMagic + 1);
    const F32 rest = fused(a, log2_low, fused(a, log2_high, -(sum - (kMagic + 127))));
    return canonical(unit_exp2(rest) * of(std::bit_cast<U32>(sum) << 23));
}

}  // namespace

F32 single_exp(F32 a) { return power_of(a, 0x1.77313ap-8f, 0x1.715476p+0f, 0x1.4ae0cp-26f); }
F32 single_exp10(F32 a) { return power_of(a, 0x1.aff4c4p-7f, 0x1.a934fp+1f, 0x1.2f346ep-24f); }

F32 single_tanh(F32 a) {
    const F32 size = std::fabs(a);
    if (size >= 0.6f) {
        const F32 power = unit_exp2(size * of(0x4038aa3b));  // e^(2 |a|)
        const F32 tanh = fused(unit_reciprocal(power + 1.0f), -2.0f, 1.0f);
        return std::copysign(size >= of(0x41102cb4) ? 1.0f : tanh, a);
    }
    const F32 square = a * a;
    const F32 sum = polynomial(square, {0x3c80f082, 0xbd563cae, 0x3e085941, 0xbeaaa9ed, 0});
    return canonical(fused(sum, a, a));
}

namespace {

// A number as the sum of two floats.
struct Pair {
    F32 high, low;
};

// log2 of a positive number, by the series of atanh.
Pair log2_pair(F32 a) {
    const bool is_small = a < 0x1p-126f;
    const auto bits = std::bit_cast<U32>(is_small ? a * 0x1p24f : a);
    const U32 power = (bits - 0x3f3504f3) & 0xff800000u;
    const F32 one_near = of(bits - power), fraction = one_near - 1.0f;
    const F32 exponent = fused(static_cast<F32>(static_cast<S32>(power)), 0x1p-23f, is_small ? -24.0f : 0.0f);
    const F32 inverse = unit_reciprocal(one_near + 1.0f);
    const F32 ratio = (fraction + fraction) * inverse, square = ratio * ratio;
    const F32 rest = fraction - ratio;
    const F32 ratio_low = inverse * fused(-ratio, fraction, rest + rest);
    const F32 series = polynomial(square, {0x3a2c32e4, 0x3b52e7db, 0x3c93bb73, 0x3df6384f}) * square;
    constexpr F32 kLog2e = of(0x3fb8aa3b), kLog2eLow = of(0x32a55e34);
    const F32 first = fused(ratio, kLog2e, exponent);
    F32 low = fused(ratio, kLog2e, exponent - first);
    low = fused(ratio, kLog2eLow, fused(ratio_low, kLog2e, low));
    low = fused(series, ratio, fused(series * 3.0f, ratio_low, low));
    const F32 high = first + low;
    return {high, low - (high - first)};
}

// |a|^b for numbers that have one.
F32 plain_power(F32 a, F32 b) {
    const Pair logarithm = log2_pair(std::fabs(a));
    const F32 product = logarithm.high * b;
    if (std::fabs(product) > 152.0f) return product < 0.0f ? 0.0f : HUGE_VALF;
    const F32 low = fused(logarithm.low, b, fused(logarithm.high, b, -product));
    const F32 whole = std::rint(product), fraction = low + (product - whole);
    const F32 power =
        polynomial(fraction, {0x391fcb8e, 0x3aaf85ed, 0x3c1d9856, 0x3d6357bb, 0x3e75fdec, 0x3f317218, 0x3f800000});
    // Two factors, so that neither overflows.
    const U32 less = whole > 0.0f ? 0u : 0x83000000u;
    const U32 exponent = std::isnan(whole) ? 0 : static_cast<U32>(static_cast<S32>(whole)) << 23;
    return power * of(less + 0x7f000000u) * of(exponent - less);
}

}  // namespace

F32 single_power(F32 a, F32 b) {
    if (a == 1.0f || b == 0.0f) return 1.0f;
    if (std::isnan(a) || std::isnan(b)) return canonical(a + b);
    const bool is_odd = std::fabs(b - 2.0f * std::trunc(b * 0.5f)) == 1.0f;
    if (a == 0.0f || std::isinf(a)) {
        const auto twice = std::bit_cast<U32>(a + a);
        const U32 bits = b < 0.0f ? twice ^ 0x7f800000u : twice;
        return of(is_odd ? bits : bits & 0x7fffffffu);
    }
    if (a == -1.0f && std::isinf(b)) return 1.0f;
    const F32 power = canonical(plain_power(a, b));
    if (a >= 0.0f) return power;
    return std::floor(b) != b ? of(0x7fffffffu) : is_odd ? -power : power;
}

}  // namespace tilescope::isa::device
