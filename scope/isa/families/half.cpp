// f16, f16x2, bf16 and bf16x2 arithmetic: every result is the exact one, rounded once.
#include "scope/base/function_unit.h"
#include "scope/isa/families/fused_signs.h"
#include "scope/isa/families/half_lanes.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

enum class Clamp { kNone, kSat, kRelu };

// Sums and products of two halves, rounded to f32 first: 24 bits are at least 2 * 11 + 2, so the second rounding is
// the right one; results too small for f32's precision are exact in it.
struct HalfAdd {
    template <class Format>
    TILESCOPE_LANE static float apply(float a, float b) {
        return a + b;
    }
};
struct HalfSub {
    template <class Format>
    TILESCOPE_LANE static float apply(float a, float b) {
        return a - b;
    }
};
struct HalfMul {
    template <class Format>
    TILESCOPE_LANE static float apply(float a, float b) {
        return a * b;
    }
};
struct HalfFma {
    template <class Format>
    TILESCOPE_LANE static float apply(float a, float b, float c) {
        return Format::multiply_add(a, b, c);
    }
};
// The special function unit rounds its sum toward zero in both formats. Larger results than the largest are infinite.
struct HalfExp2 {
    template <class Format>
    TILESCOPE_LANE static float apply(float a) {
        return Format::cut(unit_exp2(a));
    }
};
struct HalfTanh {
    template <class Format>
    TILESCOPE_LANE static float apply(float a) {
        return Format::cut(unit_tanh(a));
    }
};
template <bool Negate>
struct HalfSign {
    template <class Format>
    TILESCOPE_LANE static float apply(float a) {
        return float_of(Negate ? bits_of(a) ^ 0x80000000u : bits_of(a) & 0x7fffffffu);
    }
};
template <bool Max, bool Nan, bool Xor>
struct HalfExtreme {
    template <class Format>
    TILESCOPE_LANE static float apply(float a, float b) {
        return extreme<Max, Nan, Xor>(a, b);
    }
};

template <class Format, class Operation, bool Ftz, Clamp Limit>
struct Half {
    TILESCOPE_LANE static float flush_below(float x, float least) {
        return __builtin_fabsf(x) < least ? __builtin_copysignf(0.0f, x) : x;
    }
    TILESCOPE_LANE static float operand(std::uint16_t h) {
        const float x = Format::widen(h);
        return Ftz ? flush_below(x, Format::widen(Format::kLeastNormal)) : x;
    }
    template <class... A>
    TILESCOPE_LANE static std::uint16_t apply(A... a) {
        float r = Operation::template apply<Format>(operand(a)...);
        if (Ftz) r = flush_below(r, Format::kTiny);
        if (Limit == Clamp::kSat) r = saturate(r);
        if (Limit == Clamp::kRelu) r = r <= 0.0f ? 0.0f : r;  // -0 too; a NaN stays
        return Format::narrow(r);
    }
};

// fma.oob: the NaN that reads beyond a tensor give (7ff7 in both formats) makes a product 0, and the sum with it.
// Measured on an H200: all patterns of each operand; the addend is as any other.
template <class Body>
struct WithoutOutside {
    TILESCOPE_LANE static std::uint16_t apply(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
        constexpr std::uint32_t kOutside = 0x7ff7, kSize = 0x7fff;
        const bool is_outside = ((a & kSize) == kOutside) | ((b & kSize) == kOutside);
        const std::uint16_t sum = Body::apply(a, b, c);
        return is_outside ? std::uint16_t{0} : sum;
    }
};

// The same in both halves of a 32-bit lane.
template <class Body>
struct PackedHalves {
    template <class... A>
    TILESCOPE_LANE static std::uint32_t apply(A... a) {
        const std::uint32_t low = Body::apply(static_cast<std::uint16_t>(a)...);
        const std::uint32_t high = Body::apply(static_cast<std::uint16_t>(a >> 16)...);
        return low | high << 16;
    }
};

template <class Value, class Operation, class Body>
constexpr OpFn shape() {
    if constexpr (requires { Operation::template apply<F16>(0.0f, 0.0f, 0.0f); })
        return &signed_ternary<Value, Value, Body>;
    else if constexpr (requires { Operation::template apply<F16>(0.0f, 0.0f); })
        return &binary<Value, Value, Value, Body>;
    else
        return &unary<Value, Value, Body>;
}

template <class Format, class Operation, bool Ftz = false, Clamp Limit = Clamp::kNone>
OpFn of_width(Binding& b) {
    using Body = Half<Format, Operation, Ftz, Limit>;
    if (bytes_of(b.type()) == 2) return shape<std::uint16_t, Operation, Body>();
    return shape<std::uint32_t, Operation, PackedHalves<Body>>();
}

template <class Operation>
OpFn bind_f16(Binding& b) {
    const bool ftz = b.has("ftz");
    if (b.has("sat"))
        return ftz ? of_width<F16, Operation, true, Clamp::kSat>(b) : of_width<F16, Operation, false, Clamp::kSat>(b);
    return ftz ? of_width<F16, Operation, true>(b) : of_width<F16, Operation>(b);
}
OpFn bind_f16_relu(Binding& b) {
    return b.has("ftz") ? of_width<F16, HalfFma, true, Clamp::kRelu>(b)
                        : of_width<F16, HalfFma, false, Clamp::kRelu>(b);
}
template <class Operation>
OpFn bind_f16_plain(Binding& b) {
    return b.has("ftz") ? of_width<F16, Operation, true>(b) : of_width<F16, Operation>(b);
}
template <class Operation>
OpFn bind_bf16(Binding& b) {
    return of_width<Bf16, Operation>(b);
}
void keep_signs_of_halves(Binding& b) { keep_signs(b, bytes_of(b.type()) == 2 ? 0x8000u : 0x80008000u); }
OpFn bind_f16_fma(Binding& b) {
    keep_signs_of_halves(b);
    return bind_f16<HalfFma>(b);
}
OpFn bind_bf16_fma(Binding& b) {
    keep_signs_of_halves(b);
    return b.has("relu") ? of_width<Bf16, HalfFma, false, Clamp::kRelu>(b) : of_width<Bf16, HalfFma>(b);
}
template <class Format, Clamp Limit>
OpFn pick_outside(Binding& b) {
    using Body = WithoutOutside<Half<Format, HalfFma, false, Limit>>;
    if (bytes_of(b.type()) == 2) return &ternary<std::uint16_t, std::uint16_t, std::uint16_t, std::uint16_t, Body>;
    return &ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, PackedHalves<Body>>;
}
template <class Format>
OpFn bind_outside(Binding& b) {
    if (b.has("sat")) return pick_outside<Format, Clamp::kSat>(b);
    return b.has("relu") ? pick_outside<Format, Clamp::kRelu>(b) : pick_outside<Format, Clamp::kNone>(b);
}
OpFn bind_bf16_exp2(Binding& b) { return of_width<Bf16, HalfExp2, true>(b); }

template <bool Max>
OpFn bind_f16_extreme(Binding& b) {
    const bool nan = b.has("NaN");
    if (b.has("xorsign"))
        return nan ? bind_f16_plain<HalfExtreme<Max, true, true>>(b) : bind_f16_plain<HalfExtreme<Max, false, true>>(b);
    return nan ? bind_f16_plain<HalfExtreme<Max, true, false>>(b) : bind_f16_plain<HalfExtreme<Max, false, false>>(b);
}
template <bool Max>
OpFn bind_bf16_extreme(Binding& b) {
    const bool nan = b.has("NaN");
    if (b.has("xorsign"))
        return nan ? bind_bf16<HalfExtreme<Max, true, true>>(b) : bind_bf16<HalfExtreme<Max, false, true>>(b);
    return nan ? bind_bf16<HalfExtreme<Max, true, false>>(b) : bind_bf16<HalfExtreme<Max, false, false>>(b);
}

constexpr Operations kOne{{{Counter::kFp16Operations, 1}}}, kTwo{{{Counter::kFp16Operations, 2}}},
    kFour{{{Counter::kFp16Operations, 4}}};
constexpr Needs kOutside{81, 90}, kF16{42, 53}, kF16Relu{70, 80}, kBf16{78, 90}, kBf16Fma{70, 80}, kXor{72, 86};
constexpr Needs kF16Neg{60, 53}, kF16Abs{65, 53}, kF16Approximate{70, 75};
constexpr Class kFloat = Class::kFloat;

constexpr Row kHalfRows[] = {
    {.syntax = "add{.rn}{.ftz}{.sat}.f16",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kAdd,
     .bind = &bind_f16<HalfAdd>,
     .needs = kF16,
     .operations = kOne},
    {.syntax = "sub{.rn}{.ftz}{.sat}.f16",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kSubtract,
     .bind = &bind_f16<HalfSub>,
     .needs = kF16,
     .operations = kOne},
    {.syntax = "mul{.rn}{.ftz}{.sat}.f16",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiply,
     .bind = &bind_f16<HalfMul>,
     .needs = kF16,
     .operations = kOne},
    {.syntax = "fma.rn{.ftz}{.sat}.f16",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_f16_fma,
     .needs = kF16,
     .operations = kTwo},
    {.syntax = "fma.rn{.ftz}.relu.f16",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_f16_relu,
     .needs = kF16Relu,
     .operations = kTwo},
    {.syntax = "add{.rn}{.ftz}{.sat}.f16x2",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kAdd,
     .bind = &bind_f16<HalfAdd>,
     .needs = kF16,
     .operations = kTwo},
    {.syntax = "sub{.rn}{.ftz}{.sat}.f16x2",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kSubtract,
     .bind = &bind_f16<HalfSub>,
     .needs = kF16,
     .operations = kTwo},
    {.syntax = "mul{.rn}{.ftz}{.sat}.f16x2",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiply,
     .bind = &bind_f16<HalfMul>,
     .needs = kF16,
     .operations = kTwo},
    {.syntax = "fma.rn{.ftz}{.sat}.f16x2",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_f16_fma,
     .needs = kF16,
     .operations = kFour},
    {.syntax = "fma.rn{.ftz}.relu.f16x2",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_f16_relu,
     .needs = kF16Relu,
     .operations = kFour},
    {.syntax = "add{.rn}.bf16",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kAdd,
     .bind = &bind_bf16<HalfAdd>,
     .needs = kBf16,
     .operations = kOne},
    {.syntax = "sub{.rn}.bf16",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kSubtract,
     .bind = &bind_bf16<HalfSub>,
     .needs = kBf16,
     .operations = kOne},
    {.syntax = "mul{.rn}.bf16",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiply,
     .bind = &bind_bf16<HalfMul>,
     .needs = kBf16,
     .operations = kOne},
    {.syntax = "fma.rn{.relu}.bf16",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_bf16_fma,
     .needs = kBf16Fma,
     .operations = kTwo},
    {.syntax = "add{.rn}.bf16x2",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kAdd,
     .bind = &bind_bf16<HalfAdd>,
     .needs = kBf16,
     .operations = kTwo},
    {.syntax = "sub{.rn}.bf16x2",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kSubtract,
     .bind = &bind_bf16<HalfSub>,
     .needs = kBf16,
     .operations = kTwo},
    {.syntax = "mul{.rn}.bf16x2",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiply,
     .bind = &bind_bf16<HalfMul>,
     .needs = kBf16,
     .operations = kTwo},
    {.syntax = "fma.rn{.relu}.bf16x2",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_bf16_fma,
     .needs = kBf16Fma,
     .operations = kFour},
    {.syntax = "fma.rn.oob{.[sat relu]}.f16",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_outside<F16>,
     .needs = kOutside,
     .operations = kTwo},
    {.syntax = "fma.rn.oob{.[sat relu]}.f16x2",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_outside<F16>,
     .needs = kOutside,
     .operations = kFour},
    {.syntax = "fma.rn.oob{.relu}.bf16",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_outside<Bf16>,
     .needs = kOutside,
     .operations = kTwo},
    {.syntax = "fma.rn.oob{.relu}.bf16x2",
     .operands = "=T0 T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kMultiplyAdd,
     .bind = &bind_outside<Bf16>,
     .needs = kOutside,
     .operations = kFour},
    {.syntax = "neg{.ftz}.[f16 f16x2]",
     .operands = "=T0 T0",
     .kind = kFloat,
     .effect = effect::kNegate,
     .bind = &bind_f16_plain<HalfSign<true>>,
     .needs = kF16Neg},
    {.syntax = "abs{.ftz}.[f16 f16x2]",
     .operands = "=T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_f16_plain<HalfSign<false>>,
     .needs = kF16Abs},
    {.syntax = "neg.[bf16 bf16x2]",
     .operands = "=T0 T0",
     .kind = kFloat,
     .effect = effect::kNegate,
     .bind = &bind_bf16<HalfSign<true>>,
     .needs = kBf16Fma},
    {.syntax = "abs.[bf16 bf16x2]",
     .operands = "=T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_bf16<HalfSign<false>>,
     .needs = kBf16Fma},
    {.syntax = "min{.ftz}{.NaN}.[f16 f16x2]",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_f16_extreme<false>,
     .needs = kF16Relu},
    {.syntax = "max{.ftz}{.NaN}.[f16 f16x2]",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_f16_extreme<true>,
     .needs = kF16Relu},
    {.syntax = "min{.ftz}{.NaN}.xorsign.abs.[f16 f16x2]",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_f16_extreme<false>,
     .needs = kXor},
    {.syntax = "max{.ftz}{.NaN}.xorsign.abs.[f16 f16x2]",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_f16_extreme<true>,
     .needs = kXor},
    {.syntax = "min{.NaN}.[bf16 bf16x2]",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_bf16_extreme<false>,
     .needs = kBf16Fma},
    {.syntax = "max{.NaN}.[bf16 bf16x2]",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_bf16_extreme<true>,
     .needs = kBf16Fma},
    {.syntax = "min{.NaN}.xorsign.abs.[bf16 bf16x2]",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_bf16_extreme<false>,
     .needs = kXor},
    {.syntax = "max{.NaN}.xorsign.abs.[bf16 bf16x2]",
     .operands = "=T0 T0 T0",
     .kind = kFloat,
     .effect = effect::kApply,
     .bind = &bind_bf16_extreme<true>,
     .needs = kXor},
    {.syntax = "tanh.approx.[f16 f16x2]",
     .operands = "=T0 T0",
     .kind = kFloat,
     .effect = effect::kSpecial,
     .bind = &bind_f16_plain<HalfTanh>,
     .needs = kF16Approximate},
    {.syntax = "tanh.approx.[bf16 bf16x2]",
     .operands = "=T0 T0",
     .kind = kFloat,
     .effect = effect::kSpecial,
     .bind = &bind_bf16<HalfTanh>,
     .needs = kBf16},
    {.syntax = "ex2.approx.[f16 f16x2]",
     .operands = "=T0 T0",
     .kind = kFloat,
     .effect = effect::kSpecial,
     .bind = &bind_f16_plain<HalfExp2>,
     .needs = kF16Approximate},
    {.syntax = "ex2.approx.ftz.[bf16 bf16x2]",
     .operands = "=T0 T0",
     .kind = kFloat,
     .effect = effect::kSpecial,
     .bind = &bind_bf16_exp2,
     .needs = kBf16},
};

}  // namespace

const Family& half_family() {
    static constexpr Family kFamily{"half", "half-precision arithmetic", kHalfRows, std::size(kHalfRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
