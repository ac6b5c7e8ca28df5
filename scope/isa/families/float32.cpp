// add, sub, mul, fma, div, sqrt, rcp, abs, neg, min, max of f32 with every rounding.
#include "scope/isa/families/float_lanes.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// Each operation computes `apply`. A flushed result is one that is tiny after rounding to 24 bits, whatever its
// exponent; `scaled` is the same operation 2^24 larger, where that shows, for operands that cannot be flushed exactly
// from the result alone (2^-126 * (1 - 2^-24) rounds up to a normal number, yet is tiny).
struct Add {
    static constexpr bool kScaled = false;
    TILESCOPE_LANE static float apply(float a, float b) { return a + b; }
};
struct Sub {
    static constexpr bool kScaled = false;
    TILESCOPE_LANE static float apply(float a, float b) { return a - b; }
};
struct Mul {
    static constexpr bool kScaled = true;
    TILESCOPE_LANE static float apply(float a, float b) { return a * b; }
    TILESCOPE_LANE static float scaled(float a, float b) { return (a * 0x1p24f) * b; }
};
struct Fma {
    static constexpr bool kScaled = true;
    TILESCOPE_LANE static float apply(float a, float b, float c) { return fused(a, b, c); }
    TILESCOPE_LANE static float scaled(float a, float b, float c) { return fused(a * 0x1p24f, b, c * 0x1p24f); }
};
struct Div {
    static constexpr bool kScaled = true;
    TILESCOPE_LANE static float apply(float a, float b) { return a / b; }
    TILESCOPE_LANE static float scaled(float a, float b) { return (a * 0x1p24f) / b; }
};
struct Rcp {
    static constexpr bool kScaled = true;
    TILESCOPE_LANE static float apply(float a) { return 1.0f / a; }
    TILESCOPE_LANE static float scaled(float a) { return 0x1p24f / a; }
};
struct Sqrt {
    static constexpr bool kScaled = false;
    TILESCOPE_LANE static float apply(float a) { return __builtin_sqrtf(a); }
};

template <class Operation, bool Ftz, bool Sat>
struct Single {
    template <class... A>
    TILESCOPE_LANE static float compute(A... a) {
        float r = Operation::apply(a...);
        if constexpr (Ftz && Operation::kScaled) {
            const float large = __builtin_fabsf(Operation::scaled(a...));
            r = large < 0x1p-102f ? __builtin_copysignf(0.0f, r) : r;
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
        return &ternary<float, float, float, float, Body>;
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

template <class Operation>
OpFn bind_plain(Binding& b) {
    return with_rounding(b, b.has("ftz") ? instance<Operation, true, false>() : instance<Operation, false, false>());
}

// A NaN's sign and payload are lost, as in any arithmetic.
template <bool Negate, bool Ftz>
struct Sign {
    TILESCOPE_LANE static float apply(float a) {
        if (Ftz) a = flush(a);
        const std::uint32_t bits = bits_of(a);
        return a != a ? float_of(kNanF32) : float_of(Negate ? bits ^ 0x80000000u : bits & 0x7fffffffu);
    }
};

template <bool Negate>
OpFn bind_sign(Binding& b) {
    return b.has("ftz") ? &unary<float, float, Sign<Negate, true>> : &unary<float, float, Sign<Negate, false>>;
}

template <bool Max, bool Ftz, bool Nan, bool Xor>
struct Extreme {
    TILESCOPE_LANE static float apply(float a, float b) {
        return Ftz ? extreme<Max, Nan, Xor>(flush(a), flush(b)) : extreme<Max, Nan, Xor>(a, b);
    }
};

template <bool Max, bool Xor>
OpFn bind_extreme(Binding& b) {
    if (b.has("NaN"))
        return b.has("ftz") ? &binary<float, float, float, Extreme<Max, true, true, Xor>>
                            : &binary<float, float, float, Extreme<Max, false, true, Xor>>;
    return b.has("ftz") ? &binary<float, float, float, Extreme<Max, true, false, Xor>>
                        : &binary<float, float, float, Extreme<Max, false, false, Xor>>;
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

constexpr Row kRows[] = {
    {"add{.[rn rz rm rp]}{.ftz}{.sat}.f32", "=T0 T0 T0", Class::kFloat, &bind_saturating<Add>, {}, kAdd},
    {"sub{.[rn rz rm rp]}{.ftz}{.sat}.f32", "=T0 T0 T0", Class::kFloat, &bind_saturating<Sub>, {}, kAdd},
    {"mul{.[rn rz rm rp]}{.ftz}{.sat}.f32", "=T0 T0 T0", Class::kFloat, &bind_saturating<Mul>, {}, kMul},
    {"fma.[rn rz rm rp]{.ftz}{.sat}.f32", "=T0 T0 T0 T0", Class::kFloat, &bind_saturating<Fma>, {}, kFma},
    {"mad.[rn rz rm rp]{.ftz}{.sat}.f32", "=T0 T0 T0 T0", Class::kFloat, &bind_saturating<Fma>, {}, kFma},
    {"div.rn{.ftz}.f32", "=T0 T0 T0", Class::kFloat, &bind_plain<Div>, {}, kDiv},
    {"div.[rz rm rp]{.ftz}.f32", "=T0 T0 T0", Class::kFloat, &bind_plain<Div>, {}, kDivDirected},
    {"rcp.[rn rz rm rp]{.ftz}.f32", "=T0 T0", Class::kFloat, &bind_plain<Rcp>, {}, kRcp},
    {"sqrt.rn{.ftz}.f32", "=T0 T0", Class::kFloat, &bind_plain<Sqrt>, {}, kSqrt},
    {"sqrt.[rz rm]{.ftz}.f32", "=T0 T0", Class::kFloat, &bind_plain<Sqrt>, {}, kSqrtDown},
    {"sqrt.rp{.ftz}.f32", "=T0 T0", Class::kFloat, &bind_plain<Sqrt>, {}, kSqrtUp},
    {"abs{.ftz}.f32", "=T0 T0", Class::kFloat, &bind_sign<false>},
    {"neg{.ftz}.f32", "=T0 T0", Class::kFloat, &bind_sign<true>},
    {"min{.ftz}.f32", "=T0 T0 T0", Class::kFloat, &bind_extreme<false, false>},
    {"max{.ftz}.f32", "=T0 T0 T0", Class::kFloat, &bind_extreme<true, false>},
    {"min{.ftz}.NaN.f32", "=T0 T0 T0", Class::kFloat, &bind_extreme<false, false>, kNan},
    {"max{.ftz}.NaN.f32", "=T0 T0 T0", Class::kFloat, &bind_extreme<true, false>, kNan},
    {"min{.ftz}{.NaN}.xorsign.abs.f32", "=T0 T0 T0", Class::kFloat, &bind_extreme<false, true>, kXor},
    {"max{.ftz}{.NaN}.xorsign.abs.f32", "=T0 T0 T0", Class::kFloat, &bind_extreme<true, true>, kXor},
};

}  // namespace

const Family& float32_family() {
    static constexpr Family kFamily{"float32", "single-precision arithmetic", kRows, std::size(kRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
