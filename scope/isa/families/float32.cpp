// add, sub, mul, fma, div, sqrt, rcp, abs, neg, min, max of f32 with every rounding.
#include "scope/isa/families/float_lanes.h"
#include "scope/isa/families/fused_signs.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// Each operation computes `apply`. A flushed result is one that is tiny after rounding to 24 bits, whatever its
// exponent; `scaled` is the same operation 2^24 larger, where that shows, for operands that cannot be flushed exactly
// from the result alone (2^-126 * (1 - 2^-24) rounds up to a normal number, yet is tiny).
struct Float32Add {
    static constexpr bool kScaled = false;
    TILESCOPE_LANE static float apply(float a, float b) { return a + b; }
};
struct Float32Sub {
    static constexpr bool kScaled = false;
    TILESCOPE_LANE static float apply(float a, float b) { return a - b; }
};
struct Float32Mul {
    static constexpr bool kScaled = true;
    TILESCOPE_LANE static float apply(float a, float b) { return a * b; }
    TILESCOPE_LANE static float scaled(float a, float b) { return (a * 0x1p24f) * b; }
};
struct Float32Fma {
    static constexpr bool kScaled = true;
    TILESCOPE_LANE static float apply(float a, float b, float c) { return fused(a, b, c); }
    TILESCOPE_LANE static float scaled(float a, float b, float c) { return fused(a * 0x1p24f, b, c * 0x1p24f); }
};
struct Float32Div {
    static constexpr bool kScaled = true;
    TILESCOPE_LANE static float apply(float a, float b) { return a / b; }
    TILESCOPE_LANE static float scaled(float a, float b) { return (a * 0x1p24f) / b; }
};
struct Float32Rcp {
    static constexpr bool kScaled = true;
    TILESCOPE_LANE static float apply(float a) { return 1.0f / a; }
    TILESCOPE_LANE static float scaled(float a) { return 0x1p24f / a; }
};
struct Float32Sqrt {
    static constexpr bool kScaled = false;
    TILESCOPE_LANE static float apply(float a) { return __builtin_sqrtf(a); }
};

template <class Operation, bool Ftz, bool Sat>
struct Single {
    template <class... A>
    TILESCOPE_LANE static float compute(A... a) {
        float r = Operation::apply(a...);
        if constexpr (Ftz && Operation::kScaled) {
            // The largest operands do not get 2^24 larger: rounded toward zero, two of them cancel to what looks tiny.
            const bool may_be_tiny = __builtin_fabsf(r) <= 0x1p-126f;
            const float large = __builtin_fabsf(Operation::scaled(a...));
            r = may_be_tiny && large < 0x1p-102f ? __builtin_copysignf(0.0f, r) : r;
        } else if constexpr (Ftz) {
            r = flush(r);
        }
        return Sat ? saturate(r) : canonical(r);
    }
    template <class... A>
    TILESCOPE_LANE static float apply(A... a) {
        if constexpr (Ftz)
            return compute(flush(a)...);
        else
            return compute(a...);
    }
};

template <class Operation, bool Ftz, bool Sat>
constexpr OpFn instance() {
    using Body = Single<Operation, Ftz, Sat>;
    if constexpr (requires { Operation::apply(0.0f, 0.0f, 0.0f); })
        return &signed_ternary<float, std::uint32_t, Body>;
    else if constexpr (requires { Operation::apply(0.0f, 0.0f); })
        return &binary<float, float, float, Body>;
    else
        return &unary<float, float, Body>;
}

template <class Operation>
OpFn bind_saturating(Binding& b) {
    if (b.has("sat"))
        return with_rounding(b, b.has("ftz") ? instance<Operation, true, true>() : instance<Operation, false, true>());
    return with_rounding(b, b.has("ftz") ? instance<Operation, true, false>() : instance<Operation, false, false>());
}

OpFn bind_fma(Binding& b) {
    keep_signs(b, 0x80000000u);
    return bind_saturating<Float32Fma>(b);
}

template <class Operation>
OpFn bind_plain(Binding& b) {
    return with_rounding(b, b.has("ftz") ? instance<Operation, true, false>() : instance<Operation, false, false>());
}

// A NaN's sign and payload are lost, as in any arithmetic.
template <bool Negate, bool Ftz>
struct Float32Sign {
    TILESCOPE_LANE static float apply(float a) {
        if (Ftz) a = flush(a);
        const std::uint32_t bits = bits_of(a);
        return a != a ? float_of(kNanF32) : float_of(Negate ? bits ^ 0x80000000u : bits & 0x7fffffffu);
    }
};

template <bool Negate>
OpFn bind_sign(Binding& b) {
    return b.has("ftz") ? &unary<float, float, Float32Sign<Negate, true>>
                        : &unary<float, float, Float32Sign<Negate, false>>;
}

template <bool Max, bool Ftz, bool Nan, bool Xor>
struct Float32Extreme {
    TILESCOPE_LANE static float apply(float a, float b) {
        return Ftz ? extreme<Max, Nan, Xor>(flush(a), flush(b)) : extreme<Max, Nan, Xor>(a, b);
    }
};

template <bool Max, bool Xor>
OpFn bind_float32_extreme(Binding& b) {
    if (b.has("NaN"))
        return b.has("ftz") ? &binary<float, float, float, Float32Extreme<Max, true, true, Xor>>
                            : &binary<float, float, float, Float32Extreme<Max, false, true, Xor>>;
    return b.has("ftz") ? &binary<float, float, float, Float32Extreme<Max, true, false, Xor>>
                        : &binary<float, float, float, Float32Extreme<Max, false, false, Xor>>;
}

using C = Counter;
constexpr Operations kAdd{{{C::kFp32Add}}}, kMul{{{C::kFp32Mul}}}, kFma{{{C::kFp32Fma}}};
// What an NVIDIA H200's own counters say of ordinary operands (nvcc 13.0.88, driver 580.159.04, November 2026): a first
// approximation by the special function unit, then steps of Newton's. Other operands (subnormal, huge) take longer.
constexpr Operations kDiv{{{C::kFp32Special}, {C::kFp32Fma, 5}}},
    kDivDirected{{{C::kFp32Special}, {C::kFp32Fma, 5}, {C::kFp32Add}}},
    kRcp{{{C::kFp32Special}, {C::kFp32Fma, 2}, {C::kFp32Add}}},
    kSqrt{{{C::kFp32Special}, {C::kFp32Mul, 2}, {C::kFp32Fma, 2}}},
    kSqrtDown{{{C::kFp32Special}, {C::kFp32Mul, 2}, {C::kFp32Fma, 4}, {C::kFp32Add, 2}}},
    kSqrtUp{{{C::kFp32Special}, {C::kFp32Mul, 2}, {C::kFp32Fma, 2}, {C::kFp32Add}}};
constexpr Needs kNan{70, 80}, kXor{72, 86};

constexpr Row kFloat32Rows[] = {
    {.syntax = "add{.[rn rz rm rp]}{.ftz}{.sat}.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kAdd,
     .bind = &bind_saturating<Float32Add>,
     .operations = kAdd},
    {.syntax = "sub{.[rn rz rm rp]}{.ftz}{.sat}.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kSubtract,
     .bind = &bind_saturating<Float32Sub>,
     .operations = kAdd},
    {.syntax = "mul{.[rn rz rm rp]}{.ftz}{.sat}.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kMultiply,
     .bind = &bind_saturating<Float32Mul>,
     .operations = kMul},
    {.syntax = "fma.[rn rz rm rp]{.ftz}{.sat}.f32",
     .operands = "=T0 T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_fma,
     .operations = kFma},
    {.syntax = "mad.[rn rz rm rp]{.ftz}{.sat}.f32",
     .operands = "=T0 T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_fma,
     .operations = kFma},
    {.syntax = "div.rn{.ftz}.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kDivide,
     .bind = &bind_plain<Float32Div>,
     .operations = kDiv},
    {.syntax = "div.[rz rm rp]{.ftz}.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kDivide,
     .bind = &bind_plain<Float32Div>,
     .operations = kDivDirected},
    {.syntax = "rcp.[rn rz rm rp]{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kRoot,
     .bind = &bind_plain<Float32Rcp>,
     .operations = kRcp},
    {.syntax = "sqrt.rn{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kRoot,
     .bind = &bind_plain<Float32Sqrt>,
     .operations = kSqrt},
    {.syntax = "sqrt.[rz rm]{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kRoot,
     .bind = &bind_plain<Float32Sqrt>,
     .operations = kSqrtDown},
    {.syntax = "sqrt.rp{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kRoot,
     .bind = &bind_plain<Float32Sqrt>,
     .operations = kSqrtUp},
    {.syntax = "abs{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kApply,
     .bind = &bind_sign<false>},
    {.syntax = "neg{.ftz}.f32",
     .operands = "=T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kNegate,
     .bind = &bind_sign<true>},
    {.syntax = "min{.ftz}.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kExtreme,
     .bind = &bind_float32_extreme<false, false>},
    {.syntax = "max{.ftz}.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kExtreme,
     .bind = &bind_float32_extreme<true, false>},
    {.syntax = "min{.ftz}.NaN.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kExtreme,
     .bind = &bind_float32_extreme<false, false>,
     .needs = kNan},
    {.syntax = "max{.ftz}.NaN.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kExtreme,
     .bind = &bind_float32_extreme<true, false>,
     .needs = kNan},
    {.syntax = "min{.ftz}{.NaN}.xorsign.abs.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kApply,
     .bind = &bind_float32_extreme<false, true>,
     .needs = kXor},
    {.syntax = "max{.ftz}{.NaN}.xorsign.abs.f32",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kApply,
     .bind = &bind_float32_extreme<true, true>,
     .needs = kXor},
};

}  // namespace

const Family& float32_family() {
    static constexpr Family kFamily{"float32", "single-precision arithmetic", kFloat32Rows, std::size(kFloat32Rows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
