// add, sub, mul, fma, div, sqrt, rcp, abs, neg, min, max of f64 with every rounding.
#include "scope/isa/families/float_lanes.h"
#include "scope/isa/families/fused_doubles.h"
#include "scope/isa/families/fused_signs.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

struct Float64Add {
    TILESCOPE_LANE static double apply(double a, double b) { return a + b; }
};
struct Float64Sub {
    TILESCOPE_LANE static double apply(double a, double b) { return a - b; }
};
struct Float64Mul {
    TILESCOPE_LANE static double apply(double a, double b) { return a * b; }
};
struct Float64Div {
    TILESCOPE_LANE static double apply(double a, double b) { return b / a; }  // operands swapped, for the order of NaNs
};
struct Float64Rcp {
    TILESCOPE_LANE static double apply(double a) { return 1.0 / a; }
};
struct Float64Sqrt {
    TILESCOPE_LANE static double apply(double a) { return __builtin_sqrt(a); }
};

template <class Operation>
struct Double {
    TILESCOPE_LANE static double apply(double a) {
        const double r = Operation::apply(a);
        const double nan = is_nan(a) ? quiet(a) : double_of(kInvalid);
        return is_nan(r) ? nan : r;
    }
    TILESCOPE_LANE static double apply(double a, double b) {
        const double r = Operation::apply(a, b);
        double nan = is_nan(a) ? quiet(a) : double_of(kInvalid);
        nan = is_nan(b) ? quiet(b) : nan;
        return is_nan(r) ? nan : r;
    }
};

// a / b as Float64Div sees it.
struct Quotient {
    TILESCOPE_LANE static double apply(double a, double b) { return Double<Float64Div>::apply(b, a); }
};

template <bool Negate>
struct Float64Sign {
    TILESCOPE_LANE static double apply(double a) {
        const std::uint64_t bits = bits_of(a), sign = std::uint64_t{1} << 63;
        return is_nan(a) ? quiet(a) : double_of(Negate ? bits ^ sign : bits & ~sign);
    }
};

// -0 is less than +0; a NaN gives way to the other operand.
template <bool Max>
struct Float64Extreme {
    TILESCOPE_LANE static double apply(double a, double b) {
        const std::uint64_t x = bits_of(a), y = bits_of(b);
        const auto rank_a = static_cast<std::int64_t>(x ^ (static_cast<std::uint64_t>(-(x >> 63)) >> 1));
        const auto rank_b = static_cast<std::int64_t>(y ^ (static_cast<std::uint64_t>(-(y >> 63)) >> 1));
        double r = double_of((Max ? rank_a > rank_b : rank_a < rank_b) ? x : y);
        r = is_nan(b) ? a : r;
        r = is_nan(a) ? b : r;
        return is_nan(r) ? quiet(r) : r;
    }
};

template <class Body>
OpFn bind_float64_unary(Binding& b) {
    return with_rounding(b, &unary<double, double, Body>);
}
template <class Body>
OpFn bind_float64_binary(Binding& b) {
    return with_rounding(b, &binary<double, double, double, Body>);
}
template <bool NegativeProduct, bool NegativeSum>
OpFn fma_of(Binding& b) {
    return with_rounding(b, &ternary<double, double, double, double, Float64Fma<NegativeProduct, NegativeSum>>);
}
OpFn bind_fma(Binding& b) {
    if (negates_product(b)) return negates_addend(b) ? fma_of<true, true>(b) : fma_of<true, false>(b);
    return negates_addend(b) ? fma_of<false, true>(b) : fma_of<false, false>(b);
}

using C = Counter;
constexpr Operations kAdd64{{{C::kFp64Add}}}, kMul64{{{C::kFp64Mul}}}, kFma64{{{C::kFp64Fma}}};
// Measured as in float32.cpp. A quotient rounded to nearest ends in a check of its magnitude in single precision.
constexpr Operations kDiv64{{{C::kFp64Special}, {C::kFp64Mul}, {C::kFp64Fma, 7}, {C::kFp32Fma}}},
    kDivDirected64{{{C::kFp64Special}, {C::kFp64Mul, 2}, {C::kFp64Fma, 9}}},
    kRcp64{{{C::kFp64Special}, {C::kFp64Fma, 5}}}, kRcpDirected64{{{C::kFp64Special}, {C::kFp64Mul}, {C::kFp64Fma, 8}}},
    kSqrt64{{{C::kFp64Special}, {C::kFp64Mul, 3}, {C::kFp64Fma, 5}}},
    kSqrtDirected64{{{C::kFp64Special}, {C::kFp64Mul, 3}, {C::kFp64Fma, 8}}};

constexpr Row kFloat64Rows[] = {
    {.syntax = "add{.[rn rz rm rp]}.f64",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kAdd,
     .bind = &bind_float64_binary<Double<Float64Add>>,
     .operations = kAdd64},
    {.syntax = "sub{.[rn rz rm rp]}.f64",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kSubtract,
     .bind = &bind_float64_binary<Double<Float64Sub>>,
     .operations = kAdd64},
    {.syntax = "mul{.[rn rz rm rp]}.f64",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kMultiply,
     .bind = &bind_float64_binary<Double<Float64Mul>>,
     .operations = kMul64},
    {.syntax = "fma.[rn rz rm rp].f64",
     .operands = "=T0 T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_fma,
     .operations = kFma64},
    {.syntax = "mad.[rn rz rm rp].f64",
     .operands = "=T0 T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_fma,
     .operations = kFma64},
    {.syntax = "div.rn.f64",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kDivide,
     .bind = &bind_float64_binary<Quotient>,
     .operations = kDiv64},
    {.syntax = "div.[rz rm rp].f64",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kDivide,
     .bind = &bind_float64_binary<Quotient>,
     .operations = kDivDirected64},
    {.syntax = "rcp.rn.f64",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kRoot,
     .bind = &bind_float64_unary<Double<Float64Rcp>>,
     .operations = kRcp64},
    {.syntax = "rcp.[rz rm rp].f64",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kRoot,
     .bind = &bind_float64_unary<Double<Float64Rcp>>,
     .operations = kRcpDirected64},
    {.syntax = "sqrt.rn.f64",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kRoot,
     .bind = &bind_float64_unary<Double<Float64Sqrt>>,
     .operations = kSqrt64},
    {.syntax = "sqrt.[rz rm rp].f64",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kRoot,
     .bind = &bind_float64_unary<Double<Float64Sqrt>>,
     .operations = kSqrtDirected64},
    {.syntax = "abs.f64",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kApply,
     .bind = &bind_float64_unary<Float64Sign<false>>},
    {.syntax = "neg.f64",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kNegate,
     .bind = &bind_float64_unary<Float64Sign<true>>},
    {.syntax = "min.f64",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kExtreme,
     .bind = &bind_float64_binary<Float64Extreme<false>>},
    {.syntax = "max.f64",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kExtreme,
     .bind = &bind_float64_binary<Float64Extreme<true>>},
};

}  // namespace

const Family& float64_family() {
    static constexpr Family kFamily{"float64", "double-precision arithmetic", kFloat64Rows, std::size(kFloat64Rows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
