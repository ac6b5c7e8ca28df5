// Elementary functions as lanes, for the .approx instructions.
//
// Guarantees: straight code in double precision, without fused operations, so every target gives the same bits; the
// result, rounded to f32, is within one unit in the last place, well inside the errors that PTX allows. Special values
// are PTX's. Does not model: the bits of a GPU's own tables, but for the few that CUDA's functions of halves stand on.
#pragma once

#include "scope/isa/families/float_lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// Where a GPU's table is known to lie on the other side of a tie of halves. cuda_fp16.hpp of CUDA 13.0 rounds
// ex2.approx and lg2.approx to a half and then puts right what the table gets wrong for hexp, hexp10, hlog and their
// like. These arguments have the bits that an H100 gave (driver 580.159.04, 26 November 2026), with which those
// functions are the correctly rounded ones for all 65,536 halves, as on the card.
struct TableValue {
    std::uint32_t argument, result;  // bits
};
inline constexpr TableValue kExp2Table[] = {
    {0x3f8158fb, 0x4000f000}, {0xb9b8c000, 0x3f7feffe}, {0xbbc49dda, 0x3f7ef000},
    {0xbbf30000, 0x3f7eaffe}, {0xbc10b624, 0x3f7e6fff}, {0xbd993953, 0x3f731000},
    {0xbdeae000, 0x3f6c6ffe}, {0xc0717899, 0x3d95d000}, {0xc088f743, 0x3d52d000}};
inline constexpr TableValue kLog2Table[] = {
    {0x3ac1a000, 0xc1167230}, {0x3b26a000, 0xc109e9a1}, {0x3baf0000, 0xc0f18fad}, {0x3f7fc000, 0xbab8bf25},
    {0x3f816000, 0x3c7c8fd4}, {0x40448000, 0x3fcf2741}, {0x440a2000, 0x4111c1dd}};

template <std::size_t kCount>
TILESCOPE_LANE float by_table(const TableValue (&table)[kCount], float a, float r) {
    std::uint32_t bits = bits_of(r);
    for (std::size_t i = 0; i < kCount; ++i) bits = bits_of(a) == table[i].argument ? table[i].result : bits;
    return float_of(bits);
}

inline constexpr double kToInteger = 0x1.8p52;  // added, leaves a number's nearest integer in the low bits

// 2^x for |x| < 1000.
TILESCOPE_LANE double exp2_double(double x) {
    const double shifted = x + kToInteger;
    const double f = x - (shifted - kToInteger);
    // ln(2)^k / k!; the next term is below 2^-31.
    double p = 1.3215486790144307e-06;
    p = p * f + 1.5252733804059841e-05;
    p = p * f + 1.5403530393381608e-04;
    p = p * f + 1.3333558146428443e-03;
    p = p * f + 9.6181291076284772e-03;
    p = p * f + 5.5504108664821580e-02;
    p = p * f + 2.4022650695910072e-01;
    p = p * f + 6.9314718055994531e-01;
    p = p * f + 1.0;
    return double_of(bits_of(p) + (bits_of(shifted) << 52));
}

TILESCOPE_LANE float exp2_lane(float a) {
    double x = a;
    x = x > -160.0 ? x : -160.0;  // rounds to +0
    x = x < 130.0 ? x : 130.0;    // rounds to infinity
    const auto r = static_cast<float>(exp2_double(x));
    return a != a ? float_of(kNanF32) : by_table(kExp2Table, a, r);
}

TILESCOPE_LANE float log2_lane(float a) {
    const std::uint64_t bits = bits_of(static_cast<double>(a));
    // a = m * 2^e with m in [1/sqrt(2), sqrt(2)).
    std::uint64_t fraction = bits & 0x000fffffffffffffu;
    const std::uint64_t high = fraction > 0x6a09e667f3bccu ? 1 : 0;
    const double m = double_of(fraction | (0x3ffull - high) << 52);
    const double e = double_of(0x4330000000000000u + (bits >> 52) + high) - (0x1p52 + 1023.0);
    // log2(m) = 2 / ln(2) * atanh(s)
    const double s = (m - 1.0) / (m + 1.0), t = s * s;
    double p = 2.2195308324370880e-01;
    p = p * t + 2.6230818928802038e-01;
    p = p * t + 3.2059889797532520e-01;
    p = p * t + 4.1219858311113240e-01;
    p = p * t + 5.7707801635558535e-01;
    p = p * t + 9.6179669392597555e-01;
    p = p * t + 2.8853900817779268e+00;
    auto r = by_table(kLog2Table, a, static_cast<float>(e + p * s));
    r = a == 0.0f ? -__builtin_inff() : r;
    r = a == __builtin_inff() ? a : r;
    return ((a != a) | (a < 0.0f)) ? float_of(kNanF32) : r;
}

// Arguments of this magnitude and above need more of pi than the lanes below carry.
inline constexpr float kLargeAngle = 0x1p23f;

// The sine of a + quarter * pi / 2, for |a| < kLargeAngle.
TILESCOPE_LANE float sine_lane(float a, unsigned quarter) {
    const double x = a;
    const double shifted = x * 6.3661977236758134e-01 + kToInteger;
    const double turns = shifted - kToInteger;  // quarter turns; times the first two parts of pi / 2 it is exact
    const double r = ((x - turns * 0x1.921fb54p0) - turns * 0x442d184p-56) - turns * 0x69898cc51701b8p-112;
    const double t = r * r;
    double s = 2.7557319223985893e-06;
    s = s * t - 1.9841269841269841e-04;
    s = s * t + 8.3333333333333332e-03;
    s = s * t - 1.6666666666666666e-01;
    s = r * (1.0 + t * s);
    double c = -2.7557319223985888e-07;
    c = c * t + 2.4801587301587302e-05;
    c = c * t - 1.3888888888888889e-03;
    c = c * t + 4.1666666666666664e-02;
    c = 1.0 + t * (c * t - 0.5);
    const std::uint64_t quadrant = bits_of(shifted) + quarter;
    const double v = (quadrant & 1) ? c : s;
    return canonical(static_cast<float>((quadrant & 2) ? -v : v));
}

TILESCOPE_LANE float tanh_lane(float a) {
    double x = __builtin_fabsf(a);
    x = x < 20.0 ? x : 20.0;
    const double e = exp2_double(x * 2.8853900817779268);
    const double small = x - x * x * x * 3.3333333333333331e-01;
    const double r = x < 0x1p-8 ? small : (e - 1.0) / (e + 1.0);
    return a != a ? float_of(kNanF32) : __builtin_copysignf(static_cast<float>(r), a);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
