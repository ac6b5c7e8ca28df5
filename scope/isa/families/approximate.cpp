// sin, cos, ex2, lg2, tanh, rcp, sqrt, rsqrt, div in their .approx forms.
#include "scope/isa/families/approximations.h"

#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// The functions as ptxas expands them, and the unit's alone, which .ftz gives.
template <float (*kLane)(float), float (*kUnit)(float)>
struct Approximate {
    struct Plain {
        TILESCOPE_LANE static float apply(float a) { return kLane(a); }
    };
    struct Flushing {
        TILESCOPE_LANE static float apply(float a) { return kUnit(a); }
    };
};
TILESCOPE_LANE float rcp_lane(float a) { return canonical(approximate_reciprocal(a)); }
TILESCOPE_LANE float unit_rcp(float a) { return flush(rcp_lane(flush(a))); }
using Exp2 = Approximate<&exp2_lane, &unit_exp2>;
using Log2 = Approximate<&log2_lane, &unit_log2>;
using Sqrt = Approximate<&sqrt_lane, &unit_sqrt>;
using Rsqrt = Approximate<&rsqrt_lane, &unit_rsqrt>;
using Rcp = Approximate<&rcp_lane, &unit_rcp>;
using Sine = Approximate<&sine_lane, &sine_lane>;
using Cosine = Approximate<&cosine_lane, &cosine_lane>;
using Tanh = Approximate<&unit_tanh, &unit_tanh>;

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

template <class Function>
OpFn bind_approximate_unary(Binding& b) {
    return b.has("ftz") ? &unary<float, float, typename Function::Flushing>
                        : &unary<float, float, typename Function::Plain>;
}
template <class Body>
OpFn bind_approximate_binary(Binding& b) {
    return b.has("ftz") ? &binary<float, float, float, Flushed<Body>> : &binary<float, float, float, Body>;
}

struct RcpUpper {
    TILESCOPE_LANE static double apply(double a) { return upper_rcp(a); }
};
struct RsqrtUpper {
    TILESCOPE_LANE static double apply(double a) { return upper_rsqrt(a); }
};
struct RsqrtDouble {
    TILESCOPE_LANE static double apply(double a) { return rsqrt_double(a); }
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
    {.syntax = "div.full~{.ftz}.f32",
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
     .bind = &bind_approximate_unary<Rcp>,
     .operations = kScaledTwice},
    {.syntax = "rcp.approx.ftz.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kRoot,
     .bind = &bind_approximate_unary<Rcp>,
     .operations = kSpecial},
    {.syntax = "sqrt.approx{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kRoot,
     .bind = &bind_approximate_unary<Sqrt>,
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
     .bind = &bind_approximate_unary<Sine>,
     .operations = kScaled},
    {.syntax = "cos.approx{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_approximate_unary<Cosine>,
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
     .bind = &bind_approximate_unary<Exp2>,
     .operations = kSpecial},
    {.syntax = "tanh.approx.f32",
     .operands = "=T0 T0",
     .kind = kApproximate,
     .effect = effect::kSpecial,
     .bind = &bind_approximate_unary<Tanh>,
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
