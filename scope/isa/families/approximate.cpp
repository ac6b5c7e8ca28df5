// sin, cos, ex2, lg2, tanh, rcp, sqrt, rsqrt, div in their .approx forms.
#include "scope/isa/families/approximations.h"

#include <bit>

#include "scope/base/reciprocal_unit.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

struct ApproximateExp2 {
    TILESCOPE_LANE static float apply(float a) { return exp2_lane(a); }
};
struct Log2 {
    TILESCOPE_LANE static float apply(float a) { return log2_lane(a); }
};
struct ApproximateTanh {
    TILESCOPE_LANE static float apply(float a) { return tanh_lane(a); }
};
struct ApproximateRcp {
    TILESCOPE_LANE static float apply(float a) { return canonical(approximate_reciprocal(a)); }
};
struct ApproximateSqrt {
    TILESCOPE_LANE static float apply(float a) { return canonical(__builtin_sqrtf(a)); }
};
struct Rsqrt {
    TILESCOPE_LANE static float apply(float a) {
        return canonical(static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))));
    }
};
// a * (1 / b), as machine code has it: a subnormal b goes up by 2^24, and a with it. Reciprocals below 2^-126 are 0 to
// the unit; div.full takes a quarter of both before. To the bit in 8.4 million divisions each, of all exponents, on an
// H200 (driver 580.159.04, nvcc 13.0, 27 November 2026).
TILESCOPE_LANE float product_with_reciprocal(float a, float b) {
    const float up = __builtin_fabsf(b) < 0x1p-126f ? 0x1p24f : 1.0f;
    return canonical(a * up * flush(approximate_reciprocal(b * up)));
}
struct DivApprox {
    TILESCOPE_LANE static float apply(float a, float b) { return product_with_reciprocal(a, b); }
};
struct DivFull {
    TILESCOPE_LANE static float apply(float a, float b) {
        const float down = __builtin_fabsf(b) > 0x1p126f ? 0.25f : 1.0f;
        return product_with_reciprocal(a * down, b * down);
    }
};

// Subnormal operands and results become zeros.
template <class Body>
struct Flushed {
    template <class... A>
    TILESCOPE_LANE static float apply(A... a) {
        return flush(Body::apply(flush(a)...));
    }
};

template <class Body>
OpFn bind_approximate_unary(Binding& b) {
    return b.has("ftz") ? &unary<float, float, Flushed<Body>> : &unary<float, float, Body>;
}
template <class Body>
OpFn bind_approximate_binary(Binding& b) {
    return b.has("ftz") ? &binary<float, float, float, Flushed<Body>> : &binary<float, float, float, Body>;
}

// Sine of a (Quarter 0) or cosine (1). Angles beyond the lanes' reach are rare and go to the host's library.
template <unsigned Quarter, bool Ftz>
void sine(Warp& warp, const Op& op) {
    alignas(64) float angle[machine::kWarpSize];
    const float* a = warp.source<float>(op.a);
    for (unsigned i = 0; i < machine::kWarpSize; ++i) angle[i] = Ftz ? flush(a[i]) : a[i];
    const std::uint32_t large = lanes_where([&](unsigned i) { return __builtin_fabsf(angle[i]) >= kLargeAngle; });
    float* d = warp.target<float>(op.dst);
    write_lanes(warp.exec, d, [&](unsigned i) {
        const float r = sine_lane(angle[i], Quarter);
        return Ftz ? flush(r) : r;
    });
    for (std::uint32_t left = large & warp.exec; left != 0; left &= left - 1) {
        const int i = std::countr_zero(left);
        const double x = angle[i];
        d[i] = canonical(static_cast<float>(Quarter ? __builtin_cos(x) : __builtin_sin(x)));
    }
}
template <unsigned Quarter>
OpFn bind_sine(Binding& b) {
    return b.has("ftz") ? &sine<Quarter, true> : &sine<Quarter, false>;
}

// These work on the upper 32 bits of an f64 alone; the lower bits of the result are zero.
constexpr std::uint64_t kUpper = 0xffffffff00000000u, kExponent = 0x7ff0000000000000u, kSign = std::uint64_t{1} << 63;

TILESCOPE_LANE double upper(double x) {
    const std::uint64_t bits = bits_of(x) & kUpper;
    return double_of((bits & kExponent) ? bits : bits & kSign);
}
TILESCOPE_LANE double cut(double r) {
    std::uint64_t bits = bits_of(r) & kUpper;
    bits = (bits & kExponent) ? bits : bits & kSign;
    return double_of(r != r ? 0x7fffffff00000000u : bits);
}
struct RcpUpper {
    TILESCOPE_LANE static double apply(double a) { return cut(1.0 / upper(a)); }
};
struct RsqrtUpper {
    TILESCOPE_LANE static double apply(double a) { return cut(1.0 / __builtin_sqrt(upper(a))); }
};
struct RsqrtDouble {
    TILESCOPE_LANE static double apply(double a) {
        const double r = 1.0 / __builtin_sqrt(a);
        const double nan = a != a ? quiet(a) : double_of(0xfff8000000000000u);
        return r != r ? nan : r;
    }
};
template <class Body>
OpFn bind_double(Binding&) {
    return &unary<double, double, Body>;
}

using C = Counter;
// One instruction of the special function unit, and what an NVIDIA H200's own counters say is done to its operand and
// result (nvcc 13.0.88, driver 580.159.04, November 2026); what only unusual operands need is not counted.
constexpr Operations kSpecial{{{C::kFp32Special}}}, kScaled{{{C::kFp32Special}, {C::kFp32Mul}}},
    kScaledTwice{{{C::kFp32Special}, {C::kFp32Mul, 2}}}, kSpecial64{{{C::kFp64Special}}},
    kRsqrt64{{{C::kFp64Special}, {C::kFp64Mul, 2}, {C::kFp64Fma, 3}}};
constexpr Class kApproximate = Class::kFloat;

constexpr Row kApproximateRows[] = {
    {.syntax = "div.full{.ftz}.f32",
     .operands = "=T0 T0 T0",
     .kind = kApproximate,
     .effect = effect::kDivide,
     .bind = &bind_approximate_binary<DivFull>,
     .operations = kScaled},
    {.syntax = "div.approx{.ftz}.f32",
     .operands = "=T0 T0 T0",
     .kind = kApproximate,
     .effect = effect::kDivide,
     .bind = &bind_approximate_binary<DivApprox>,
     .operations = kScaled},
    {.syntax = "rcp.approx.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kRoot,
     .bind = &bind_approximate_unary<ApproximateRcp>,
     .operations = kScaledTwice},
    {.syntax = "rcp.approx.ftz.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kRoot,
     .bind = &bind_approximate_unary<ApproximateRcp>,
     .operations = kSpecial},
    {.syntax = "sqrt.approx{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kRoot,
     .bind = &bind_approximate_unary<ApproximateSqrt>,
     .operations = kSpecial},
    {.syntax = "rsqrt.approx{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_approximate_unary<Rsqrt>,
     .operations = kSpecial},
    {.syntax = "sin.approx{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_sine<0>,
     .operations = kScaled},
    {.syntax = "cos.approx{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_sine<1>,
     .operations = kScaled},
    {.syntax = "lg2.approx{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_approximate_unary<Log2>,
     .operations = kSpecial},
    {.syntax = "ex2.approx{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_approximate_unary<ApproximateExp2>,
     .operations = kSpecial},
    {.syntax = "tanh.approx.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_approximate_unary<ApproximateTanh>,
     .needs = {70, 75},
     .operations = kSpecial},
    {.syntax = "rcp.approx.ftz.f64",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kRoot,
     .bind = &bind_double<RcpUpper>,
     .needs = {21, 50},
     .operations = kSpecial64},
    {.syntax = "rsqrt.approx.f64",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_double<RsqrtDouble>,
     .operations = kRsqrt64},
    {.syntax = "rsqrt.approx.ftz.f64",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_double<RsqrtUpper>,
     .needs = {40, 50},
     .operations = kSpecial64},
};

}  // namespace

const Family& approximate_family() {
    static constexpr Family kFamily{"approximate", "approximate functions", kApproximateRows,
                                    std::size(kApproximateRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
