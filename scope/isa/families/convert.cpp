// cvt between integer and floating-point types, and to an integer held in a floating-point type.
#include "scope/isa/families/convert_stages.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

constexpr std::uint64_t low_bits(unsigned width) { return ~std::uint64_t{0} >> (64 - width); }

bool integer(Type type) { return !is_float(type); }
unsigned width_of(Type type) { return bytes_of(type) * 8; }

// ---- straight loops for the common conversions

// Through type A of the source's register, then type D, into the result's register.
template <class Register, class D, class A>
struct Integers {
    template <class Source>
    TILESCOPE_LANE static Register apply(Source a) {
        return static_cast<Register>(static_cast<D>(static_cast<A>(a)));
    }
};

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S8 = std::int8_t;
using S16 = std::int16_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

// Result and source in registers of their own widths; same-width conversions and truncations need no signs.
template <class D, class Source>
OpFn from_register(Type a) {
    if (sizeof(D) <= sizeof(Source) && bytes_of(a) == sizeof(Source)) return &unary<D, Source, Integers<D, D, Source>>;
    switch (a) {
        case Type::kU8: return &unary<D, Source, Integers<D, D, U8>>;
        case Type::kS8: return &unary<D, Source, Integers<D, D, S8>>;
        case Type::kU16: return &unary<D, Source, Integers<D, D, U16>>;
        case Type::kS16: return &unary<D, Source, Integers<D, D, S16>>;
        case Type::kU32: return &unary<D, Source, Integers<D, D, U32>>;
        case Type::kS32: return &unary<D, Source, Integers<D, D, S32>>;
        default: return nullptr;
    }
}
template <class D>
OpFn fast_integers(Type a, unsigned register_bytes) {
    switch (register_bytes) {
        case 2: return bytes_of(a) <= 2 ? from_register<D, U16>(a) : nullptr;
        case 4: return bytes_of(a) <= 4 ? from_register<D, U32>(a) : nullptr;
        default: return bytes_of(a) == 8 ? from_register<D, U64>(a) : nullptr;
    }
}

template <class D, class A>
struct FromInteger {
    TILESCOPE_LANE static D apply(A a) {
        return a == 0 ? D(0) : static_cast<D>(a);
    }  // a host may make -0 of it, rounding down
};
template <class D>
OpFn fast_from_integer(Type a) {
    switch (a) {
        case Type::kU32: return &unary<D, U32, FromInteger<D, U32>>;
        case Type::kS32: return &unary<D, S32, FromInteger<D, S32>>;
        case Type::kU64: return &unary<D, U64, FromInteger<D, U64>>;
        default: return &unary<D, S64, FromInteger<D, S64>>;
    }
}

template <class A, Towards Way>
struct ToS32 {
    TILESCOPE_LANE static S32 apply(A a) {
        const A r = round_integer(a, Way);
        const bool high = r >= A(0x1p31), low = r < A(-0x1p31), nan = a != a;
        const auto v = static_cast<S32>((high | low | nan) ? A(0) : r);
        const S32 limit = high ? INT32_MAX : (low || sizeof(A) == 8) ? INT32_MIN : 0;
        return (high | low | nan) ? limit : v;
    }
};
template <class A, Towards Way>
struct ToU32 {
    TILESCOPE_LANE static U32 apply(A a) {
        const A r = round_integer(a, Way);
        const bool high = r >= A(0x1p32), low = r < A(0), nan = a != a, upper = r >= A(0x1p31);
        const auto v = static_cast<U32>(static_cast<S32>((high | low | nan) ? A(0) : upper ? r - A(0x1p31) : r));
        const U32 limit = high ? UINT32_MAX : (nan && sizeof(A) == 8) ? 0x80000000u : 0;
        return (high | low | nan) ? limit : upper ? v | 0x80000000u : v;
    }
};
template <class A, Towards Way>
struct ToIntegral {
    TILESCOPE_LANE static A apply(A a) {
        const A r = round_integer(a, Way);
        if constexpr (sizeof(A) == 4)
            return canonical(r);
        else
            return quiet_nan(r);
    }
};

template <class D, class A, template <class, Towards> class Body>
OpFn fast_rounding(const Form& form) {
    if (form.has("rni")) return &unary<D, A, Body<A, Towards::kNearest>>;
    if (form.has("rzi")) return &unary<D, A, Body<A, Towards::kZero>>;
    if (form.has("rmi")) return &unary<D, A, Body<A, Towards::kDown>>;
    return &unary<D, A, Body<A, Towards::kUp>>;
}

template <class T>
struct Same {
    TILESCOPE_LANE static T apply(T a) { return a; }
};
struct Saturate {
    TILESCOPE_LANE static float apply(float a) { return saturate(a); }
};
template <class D, class A>
struct Cast {
    TILESCOPE_LANE static D apply(A a) { return static_cast<D>(a); }
};
template <class Format>
struct Widen {
    TILESCOPE_LANE static float apply(U16 a) { return canonical(Format::widen(a)); }
};
struct WidenBf16 {
    TILESCOPE_LANE static U32 apply(U16 a) { return static_cast<U32>(a) << 16; }  // a NaN as it is
};
template <class Format>
struct Narrow {
    TILESCOPE_LANE static U16 apply(float a) { return Format::narrow(a); }
};

// The straight loop for a form with registers of the types' own widths and no ftz, sat, relu or satfinite; nullptr when
// there is none.
OpFn fast_plain(Binding& b, Type d, Type a) {
    const bool nearest = rounding_of(b.form) == FE_TONEAREST;
    const bool integral = !b.form.one_of({"rni", "rzi", "rmi", "rpi"}).empty();
    if (integer(a) && (d == Type::kF32 || d == Type::kF64)) {
        if (bytes_of(a) < 4) return nullptr;
        return with_rounding(b, d == Type::kF32 ? fast_from_integer<float>(a) : fast_from_integer<double>(a));
    }
    if (a == Type::kF32) {
        if (d == Type::kS32) return fast_rounding<S32, float, ToS32>(b.form);
        if (d == Type::kU32) return fast_rounding<U32, float, ToU32>(b.form);
        if (d == Type::kF32)
            return integral ? fast_rounding<float, float, ToIntegral>(b.form) : &unary<U32, U32, Same<U32>>;
        if (d == Type::kF64) return &unary<double, float, Cast<double, float>>;
        if (d == Type::kF16 && nearest) return &unary<U16, float, Narrow<F16>>;
        if (d == Type::kBf16 && nearest) return &unary<U16, float, Narrow<Bf16>>;
    }
    if (a == Type::kF64) {
        if (d == Type::kS32) return fast_rounding<S32, double, ToS32>(b.form);
        if (d == Type::kU32) return fast_rounding<U32, double, ToU32>(b.form);
        if (d == Type::kF64)
            return integral ? fast_rounding<double, double, ToIntegral>(b.form) : &unary<U64, U64, Same<U64>>;
        if (d == Type::kF32) return with_rounding(b, &unary<float, double, Cast<float, double>>);
    }
    if (d == Type::kF32 && a == Type::kF16) return &unary<float, U16, Widen<F16>>;
    if (d == Type::kF32 && a == Type::kBf16) return &unary<U32, U16, WidenBf16>;
    return nullptr;
}

// ---- the rest, in stages

Stage decode(Type type, bool ftz) {
    switch (type) {
        case Type::kF16: return &real_from_half<F16>;
        case Type::kBf16: return &real_from_half<Bf16>;
        case Type::kF32: return ftz ? &real_from_f32<true> : &real_from_f32<false>;
        case Type::kF64: return &real_from_f64;
        default: return is_signed(type) ? &extend_source<true> : &extend_source<false>;
    }
}

Stage encode(Type type) {
    switch (type) {
        case Type::kF16: return &f16_from_real;
        case Type::kBf16: return &bf16_from_real;
        case Type::kF32: return &f32_from_real;
        case Type::kF64: return &f64_from_real;
        default: return is_signed(type) ? &extend_result<true> : &extend_result<false>;
    }
}

Stage rounding_stage(const Form& form) {
    if (form.has("rni")) return &round_real<Towards::kNearest>;
    if (form.has("rzi")) return &round_real<Towards::kZero>;
    if (form.has("rmi")) return &round_real<Towards::kDown>;
    if (form.has("rpi")) return &round_real<Towards::kUp>;
    return nullptr;
}

// The result type's limits, as far as the source type reaches.
void set_limits(Plan& plan, Type d, Type a) {
    const unsigned width = width_of(d);
    plan.low = is_signed(d) ? ~low_bits(width - 1) : 0;
    plan.high = is_signed(d) ? low_bits(width - 1) : low_bits(width);
    plan.low_real = is_signed(d) ? static_cast<double>(static_cast<S64>(plan.low)) : 0.0;
    plan.high_real = static_cast<double>(plan.high);
    if (is_float(a)) return;
    if (is_signed(a) && plan.high > low_bits(63)) plan.high = low_bits(63);
    if (!is_signed(a)) plan.low = 0;
}

bool set_registers(Binding& b, Plan& plan) {
    switch (b.operands[1].bytes) {
        case 2: plan.load = &load_bits<U16>; break;
        case 4: plan.load = &load_bits<U32>; break;
        case 8: plan.load = &load_bits<U64>; break;
        default: b.fail("cvt from a register of this width is not supported"); return false;
    }
    switch (b.operands[0].bytes) {
        case 2: plan.store = &store_bits<U16>; break;
        case 4: plan.store = &store_bits<U32>; break;
        case 8: plan.store = &store_bits<U64>; break;
        default: b.fail("cvt to a register of this width is not supported"); return false;
    }
    return true;
}

OpFn bind_stages(Binding& b, Type d, Type a) {
    Plan plan;
    // An H200 rounds a subnormal f32 to f16 by its value even under ftz, which shows only when rounding down or up.
    plan.ftz = b.has("ftz") && d != Type::kF16;
    plan.sat = b.has("sat");
    plan.relu = b.has("relu");
    plan.finite = b.has("satfinite");
    plan.mode = rounding_of(b.form);
    plan.canonical = a != Type::kF64;
    plan.source_bits = width_of(a);
    plan.result_bits = width_of(d);
    if (!set_registers(b, plan)) return nullptr;
    // Moves, which leave a NaN alone: of f32 or f64 to itself, of bf16 into the upper half of f32.
    const bool moved = d == a && b.form.words().size() == 2 && bytes_of(d) >= 4 && is_float(d);
    const bool widened = d == Type::kF32 && a == Type::kBf16 && !plan.ftz;
    if (moved || widened) {
        plan.stages[0] = &extend_source<false>;
        if (widened) plan.stages[1] = &into_upper_half;
        b.op.extra = b.keep(plan);
        return &run_plan;
    }
    if (integer(d)) set_limits(plan, d, a);
    unsigned n = 0;
    plan.stages[n++] = decode(a, plan.ftz);
    if (integer(a) && integer(d)) {
        if (plan.sat) plan.stages[n++] = is_signed(a) ? &clamp<S64> : &clamp<U64>;
    } else if (integer(d)) {
        plan.nan = a == Type::kF64 || bytes_of(d) == 8 ? U64{1} << (width_of(d) - 1) : 0;
        plan.stages[n++] = rounding_stage(b.form);
        plan.stages[n++] = bytes_of(d) < 8 ? &integer_from_real : is_signed(d) ? &s64_from_real : &u64_from_real;
    } else {
        if (integer(a)) plan.stages[n++] = is_signed(a) ? &real_from_integer<S64> : &real_from_integer<U64>;
        if (Stage stage = rounding_stage(b.form)) plan.stages[n++] = stage;
        if (plan.sat || plan.relu) plan.stages[n++] = &limit_real;
    }
    plan.stages[n++] = encode(d);
    b.op.extra = b.keep(plan);
    return &run_plan;
}

OpFn bind_convert(Binding& b) {
    const Type d = b.type(0), a = b.type(1);
    const bool own_widths = b.operands[0].bytes == bytes_of(d) && b.operands[1].bytes == bytes_of(a);
    const bool plain = b.form.one_of({"ftz", "sat", "relu", "satfinite"}).empty();
    OpFn fast = nullptr;
    if (plain && integer(d) && integer(a) && b.operands[0].bytes == bytes_of(d)) {
        const unsigned from = b.operands[1].bytes;
        fast = bytes_of(d) == 2   ? fast_integers<U16>(a, from)
               : bytes_of(d) == 4 ? fast_integers<U32>(a, from)
               : bytes_of(d) == 8 ? fast_integers<U64>(a, from)
                                  : nullptr;
    } else if (plain && own_widths) {
        fast = fast_plain(b, d, a);
    } else if (own_widths && d == Type::kF32 && a == Type::kF32 && b.form.words().size() == 3 && b.has("sat")) {
        fast = &unary<float, float, Saturate>;
    }
    return fast ? fast : bind_stages(b, d, a);
}

constexpr Needs kBf16{78, 90}, kBf16Early{70, 80}, kFinite{81, 80};
constexpr Class kConversion = Class::kConversion;
constexpr Operations kWidened{{{Counter::kFp32ToFp64}}}, kNarrowed{{{Counter::kFp64ToFp32}}};

#define TILESCOPE_INTEGERS "[u8 u16 u32 u64 s8 s16 s32 s64]"
#define TILESCOPE_INTEGRAL "[rni rzi rmi rpi]"
#define TILESCOPE_ROUNDING "[rn rz rm rp]"
constexpr Row kRows[] = {
    {.syntax = "cvt{.sat}." TILESCOPE_INTEGERS "." TILESCOPE_INTEGERS,
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt." TILESCOPE_INTEGRAL "{.ftz}{.sat}." TILESCOPE_INTEGERS ".f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt." TILESCOPE_INTEGRAL "{.sat}." TILESCOPE_INTEGERS ".[f16 f64]",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt." TILESCOPE_INTEGRAL "." TILESCOPE_INTEGERS ".bf16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt." TILESCOPE_ROUNDING "{.ftz}{.sat}.f32." TILESCOPE_INTEGERS,
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt." TILESCOPE_ROUNDING "{.sat}.[f16 f64]." TILESCOPE_INTEGERS,
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt." TILESCOPE_ROUNDING ".bf16." TILESCOPE_INTEGERS,
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt{." TILESCOPE_INTEGRAL "}{.ftz}{.sat}.f32.f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt{." TILESCOPE_INTEGRAL "}{.sat}.f64.f64",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt{." TILESCOPE_INTEGRAL "}{.sat}.f16.f16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt{." TILESCOPE_INTEGRAL "}.bf16.bf16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt." TILESCOPE_ROUNDING "{.ftz}{.sat}.f32.f64",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .operations = kNarrowed},
    {.syntax = "cvt." TILESCOPE_ROUNDING "{.ftz}{.sat}.f16.f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt." TILESCOPE_ROUNDING "{.sat}.f16.f64",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt{.ftz}{.sat}.f64.f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .operations = kWidened},
    {.syntax = "cvt{.ftz}{.sat}.f32.f16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt{.sat}.f64.f16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert},
    {.syntax = "cvt.f32.bf16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = {71, 80}},
    {.syntax = "cvt." TILESCOPE_ROUNDING "{.ftz}.f32.bf16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt.ftz.f32.bf16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt{." TILESCOPE_ROUNDING "}.[f16 f64].bf16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt{." TILESCOPE_ROUNDING "}.bf16.f16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt." TILESCOPE_ROUNDING ".bf16.f64",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt.[rn rz]{.relu}.bf16.f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16Early},
    {.syntax = "cvt.[rm rp].bf16.f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt." TILESCOPE_ROUNDING ".ftz.bf16.f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16},
    {.syntax = "cvt.[rn rz].relu.f16.f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16Early},
    {.syntax = "cvt.[rn rz]{.relu}.satfinite.[f16 bf16].f32",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kFinite},
};
#undef TILESCOPE_INTEGERS
#undef TILESCOPE_INTEGRAL
#undef TILESCOPE_ROUNDING

}  // namespace

const Family& convert_family() {
    static constexpr Family kFamily{"convert", "conversions between types", kRows, std::size(kRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
