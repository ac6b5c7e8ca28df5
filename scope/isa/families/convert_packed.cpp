// cvt to and from the packed and narrow formats (f16x2, bf16x2, e4m3x2, e5m2x2, tf32), and cvt.pack.
#include "scope/isa/families/convert_stages.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// ---- two f32 into two halves: the first goes into the upper half

template <Stage Encode>
void two_halves(Warp& warp, const Op& op) {
    const Plan& plan = *static_cast<const Plan*>(op.extra);
    Lanes upper, lower;
    load_bits<std::uint32_t>(warp.source<std::byte>(op.a), upper);
    load_bits<std::uint32_t>(warp.source<std::byte>(op.b), lower);
    in_rounding(plan.mode, [&] {
        for (Stage stage : plan.stages) {
            if (!stage) break;
            stage(upper, plan);
            stage(lower, plan);
        }
    });
    write_lanes(warp.exec, warp.target<std::uint32_t>(op.dst),
                [&](unsigned i) { return static_cast<std::uint32_t>(upper.bits[i] << 16 | (lower.bits[i] & 0xffff)); });
}

// The common ones, without a detour.
template <class Format>
struct TwoHalves {
    TILESCOPE_LANE static std::uint32_t apply(float a, float b) {
        return static_cast<std::uint32_t>(Format::narrow(a)) << 16 | Format::narrow(b);
    }
};

template <class Format, Stage Encode>
OpFn bind_two_halves(Binding& b) {
    if (b.has("rn") && !b.has("relu") && !b.has("satfinite"))
        return &binary<std::uint32_t, float, float, TwoHalves<Format>>;
    Plan plan;
    plan.mode = rounding_of(b.form);
    plan.relu = b.has("relu");
    plan.finite = b.has("satfinite");
    plan.stages[0] = &real_from_f32<false>;
    plan.stages[1] = &limit_real;
    plan.stages[2] = Encode;
    b.op.extra = b.keep(plan);
    return &two_halves<Encode>;
}

// ---- tf32: f32 with 10 fraction bits

enum class Tf32 { kAway, kAwayFinite, kEven, kZero };
template <Tf32 Way, bool Relu>
struct ToTf32 {
    TILESCOPE_LANE static std::uint32_t apply(std::uint32_t a) {
        constexpr std::uint32_t kKept = 0xffffe000u, kHalf = 0x1000u, kInfinity = 0x7f800000u;
        const std::uint32_t size = a & 0x7fffffffu, sign = a & 0x80000000u;
        std::uint32_t r = Way == Tf32::kEven   ? size + (kHalf - 1) + (size >> 13 & 1)
                          : Way == Tf32::kZero ? size
                                               : size + kHalf;
        r = (size >= kInfinity ? size : r) & kKept;
        if (Way == Tf32::kAwayFinite) r = r >= kInfinity ? kInfinity - 0x2000u : r;
        if (Relu) r = sign ? 0 : r;
        // Rounding away lets a NaN through as it is; its upper bits may be those of an infinity.
        const std::uint32_t nan = Way == Tf32::kAway ? (a & kKept) : kNanF32 & kKept;
        return size > kInfinity ? nan : Relu ? r : r | sign;
    }
};
OpFn bind_tf32(Binding& b) {
    using U = std::uint32_t;
    if (b.has("rna"))
        return b.has("satfinite") ? &unary<U, U, ToTf32<Tf32::kAwayFinite, false>>
                                  : &unary<U, U, ToTf32<Tf32::kAway, false>>;
    if (b.has("rn"))
        return b.has("relu") ? &unary<U, U, ToTf32<Tf32::kEven, true>> : &unary<U, U, ToTf32<Tf32::kEven, false>>;
    return b.has("relu") ? &unary<U, U, ToTf32<Tf32::kZero, true>> : &unary<U, U, ToTf32<Tf32::kZero, false>>;
}

// ---- 8-bit floats: e4m3 has no infinities and one NaN, e5m2 is the upper byte of an f16

struct E4m3 {
    static constexpr std::uint32_t kLargest = 0x7e;
    TILESCOPE_LANE static std::uint32_t narrow(double a) {  // to nearest, limited to the largest number
        const double y = round_to_grid<4, -6>(a);
        const std::uint32_t fits = bits_of(static_cast<float>(y * 0x1p-120)) >> 20 & 0x7f;
        return __builtin_fabs(y) > 448.0 ? kLargest : fits;
    }
    TILESCOPE_LANE static float widen(std::uint32_t byte) {
        const float size = float_of((byte & 0x7f) << 20) * 0x1p120f;
        return (byte & 0x7f) == 0x7f ? float_of(kNanF32) : float_of(bits_of(size) | (byte & 0x80) << 24);
    }
};
struct E5m2 {
    static constexpr std::uint32_t kLargest = 0x7b;
    TILESCOPE_LANE static std::uint32_t narrow(double a) {
        const double y = round_to_grid<3, -14>(a);
        const std::uint32_t fits = bits_of(static_cast<float>(y * 0x1p-112)) >> 21 & 0x7f;
        return __builtin_fabs(y) > 57344.0 ? kLargest : fits;
    }
    TILESCOPE_LANE static float widen(std::uint32_t byte) { return F16::widen(static_cast<std::uint16_t>(byte << 8)); }
};

template <class Format, bool Relu>
struct Bytes {
    TILESCOPE_LANE static std::uint32_t one(float a) {
        const std::uint32_t sign = Relu ? 0 : bits_of(a) >> 24 & 0x80;
        const std::uint32_t r = (Relu && a <= 0.0f) ? 0 : Format::narrow(a) | sign;
        return a != a ? 0x7f : r;
    }
    TILESCOPE_LANE static std::uint16_t apply(float a, float b) {
        return static_cast<std::uint16_t>(one(a) << 8 | one(b));
    }
    TILESCOPE_LANE static std::uint16_t apply(std::uint32_t halves) {
        return apply(F16::widen(static_cast<std::uint16_t>(halves >> 16)),
                     F16::widen(static_cast<std::uint16_t>(halves)));
    }
};
template <class Format, bool Relu>
struct FromBytes {
    TILESCOPE_LANE static std::uint32_t one(std::uint32_t byte) {
        const float a = Format::widen(byte);
        return F16::narrow((Relu && a <= 0.0f) ? 0.0f : a);
    }
    TILESCOPE_LANE static std::uint32_t apply(std::uint16_t bytes) { return one(bytes >> 8) << 16 | one(bytes & 0xff); }
};

template <bool Relu>
OpFn to_bytes(bool e4m3, bool from_halves) {
    if (from_halves)
        return e4m3 ? &unary<std::uint16_t, std::uint32_t, Bytes<E4m3, Relu>>
                    : &unary<std::uint16_t, std::uint32_t, Bytes<E5m2, Relu>>;
    return e4m3 ? &binary<std::uint16_t, float, float, Bytes<E4m3, Relu>>
                : &binary<std::uint16_t, float, float, Bytes<E5m2, Relu>>;
}
template <bool Relu>
OpFn from_bytes(bool e4m3) {
    return e4m3 ? &unary<std::uint32_t, std::uint16_t, FromBytes<E4m3, Relu>>
                : &unary<std::uint32_t, std::uint16_t, FromBytes<E5m2, Relu>>;
}
OpFn bind_to_bytes(Binding& b) {
    const bool e4m3 = b.has("e4m3x2"), halves = b.has("f16x2");
    return b.has("relu") ? to_bytes<true>(e4m3, halves) : to_bytes<false>(e4m3, halves);
}
OpFn bind_from_bytes(Binding& b) {
    return b.has("relu") ? from_bytes<true>(b.has("e4m3x2")) : from_bytes<false>(b.has("e4m3x2"));
}

// ---- cvt.pack: two integers, limited to a narrower type, below the lower bits of a third

template <unsigned Width, bool Signed>
struct Pack {
    TILESCOPE_LANE static std::uint32_t limit(std::int32_t a) {
        constexpr std::int32_t kLow = Signed ? -(1 << (Width - 1)) : 0;
        constexpr std::int32_t kHigh = Signed ? (1 << (Width - 1)) - 1 : (1 << Width) - 1;
        a = a < kLow ? kLow : a;
        a = a > kHigh ? kHigh : a;
        return static_cast<std::uint32_t>(a) & ((1u << Width) - 1);
    }
    TILESCOPE_LANE static std::uint32_t apply(std::int32_t a, std::int32_t b) { return limit(a) << Width | limit(b); }
    TILESCOPE_LANE static std::uint32_t apply(std::int32_t a, std::int32_t b, std::uint32_t c) {
        return c << (2 * Width % 32) | apply(a, b);
    }
};
template <unsigned Width, bool Signed>
OpFn pack_below() {
    return &ternary<std::uint32_t, std::int32_t, std::int32_t, std::uint32_t, Pack<Width, Signed>>;
}
OpFn bind_pack_integers(Binding& b) {
    using U = std::uint32_t;
    using S = std::int32_t;
    return b.has("s16") ? &binary<U, S, S, Pack<16, true>> : &binary<U, S, S, Pack<16, false>>;
}
OpFn bind_pack_below(Binding& b) {
    if (b.has("u8")) return pack_below<8, false>();
    if (b.has("s8")) return pack_below<8, true>();
    if (b.has("u4")) return pack_below<4, false>();
    if (b.has("s4")) return pack_below<4, true>();
    return b.has("u2") ? pack_below<2, false>() : pack_below<2, true>();
}

constexpr Needs kHalves{70, 80}, kFinitePacked{81, 80}, kTf32{78, 90}, kBytes{81, 89}, kPack{65, 72},
    kPackSmall{65, 75};
constexpr Class kPackedConversion = Class::kConversion;

constexpr Row kConvertPackedRows[] = {
    {.syntax = "cvt.[rn rz]{.relu}.f16x2.f32",
     .operands = "=b32 f32 f32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_two_halves<F16, &f16_from_real>,
     .needs = kHalves},
    {.syntax = "cvt.[rn rz]{.relu}.bf16x2.f32",
     .operands = "=b32 f32 f32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_two_halves<Bf16, &bf16_from_real>,
     .needs = kHalves},
    {.syntax = "cvt.[rn rz]{.relu}.satfinite.f16x2.f32",
     .operands = "=b32 f32 f32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_two_halves<F16, &f16_from_real>,
     .needs = kFinitePacked},
    {.syntax = "cvt.[rn rz]{.relu}.satfinite.bf16x2.f32",
     .operands = "=b32 f32 f32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_two_halves<Bf16, &bf16_from_real>,
     .needs = kFinitePacked},
    {.syntax = "cvt.rna.tf32.f32",
     .operands = "=b32 f32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_tf32,
     .needs = kHalves},
    {.syntax = "cvt.rna.satfinite.tf32.f32",
     .operands = "=b32 f32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_tf32,
     .needs = kFinitePacked},
    {.syntax = "cvt.[rn rz]{.relu}.tf32.f32",
     .operands = "=b32 f32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_tf32,
     .needs = kTf32},
    {.syntax = "cvt.rn.satfinite{.relu}.[e4m3x2 e5m2x2].f32",
     .operands = "=b16 f32 f32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_to_bytes,
     .needs = kBytes},
    {.syntax = "cvt.rn.satfinite{.relu}.[e4m3x2 e5m2x2].f16x2",
     .operands = "=b16 b32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_to_bytes,
     .needs = kBytes},
    {.syntax = "cvt.rn{.relu}.f16x2.[e4m3x2 e5m2x2]",
     .operands = "=b32 b16",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_from_bytes,
     .needs = kBytes},
    {.syntax = "cvt.pack~.sat.[u16 s16].s32",
     .operands = "=b32 s32 s32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_pack_integers,
     .needs = kPack},
    {.syntax = "cvt.pack~.sat.[u8 s8].s32.b32",
     .operands = "=b32 s32 s32 b32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_pack_below,
     .needs = kPack},
    {.syntax = "cvt.pack~.sat.[u4 s4 u2 s2].s32.b32",
     .operands = "=b32 s32 s32 b32",
     .kind = kPackedConversion,
     .effect = effect::kConvert,
     .bind = &bind_pack_below,
     .needs = kPackSmall},
};

}  // namespace

const Family& convert_packed_family() {
    static constexpr Family kFamily{"convert_packed", "conversions to and from packed and narrow formats",
                                    kConvertPackedRows, std::size(kConvertPackedRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
