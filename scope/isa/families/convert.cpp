// cvt between integer and floating-point types, and to an integer held in a floating-point type.
#include "scope/isa/families/convert_loops.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

constexpr std::uint64_t low_bits(unsigned width) { return ~std::uint64_t{0} >> (64 - width); }

unsigned width_of(Type type) { return bytes_of(type) * 8; }

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
    plan.low_real = is_signed(d) ? static_cast<double>(static_cast<std::int64_t>(plan.low)) : 0.0;
    plan.high_real = static_cast<double>(plan.high);
    if (is_float(a)) return;
    if (is_signed(a) && plan.high > low_bits(63)) plan.high = low_bits(63);
    if (!is_signed(a)) plan.low = 0;
}

bool set_registers(Binding& b, Plan& plan) {
    switch (b.operands[1].bytes) {
        case 2: plan.load = &load_bits<std::uint16_t>; break;
        case 4: plan.load = &load_bits<std::uint32_t>; break;
        case 8: plan.load = &load_bits<std::uint64_t>; break;
        default: b.fail("cvt from a register of this width is not supported"); return false;
    }
    switch (b.operands[0].bytes) {
        case 2: plan.store = &store_bits<std::uint16_t>; break;
        case 4: plan.store = &store_bits<std::uint32_t>; break;
        case 8: plan.store = &store_bits<std::uint64_t>; break;
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
        if (plan.sat) plan.stages[n++] = is_signed(a) ? &clamp<std::int64_t> : &clamp<std::uint64_t>;
    } else if (integer(d)) {
        plan.nan = a == Type::kF64 || bytes_of(d) == 8 ? std::uint64_t{1} << (width_of(d) - 1) : 0;
        plan.stages[n++] = rounding_stage(b.form);
        plan.stages[n++] = bytes_of(d) < 8 ? &integer_from_real : is_signed(d) ? &s64_from_real : &u64_from_real;
    } else {
        if (integer(a))
            plan.stages[n++] = is_signed(a) ? &real_from_integer<std::int64_t> : &real_from_integer<std::uint64_t>;
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
        fast = bytes_of(d) == 2   ? fast_integers<std::uint16_t>(a, from)
               : bytes_of(d) == 4 ? fast_integers<std::uint32_t>(a, from)
               : bytes_of(d) == 8 ? fast_integers<std::uint64_t>(a, from)
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
constexpr Operations kHalfWidened{{{Counter::kFp16ToFp32}}}, kBf16Widened{{{Counter::kBf16ToFp32}}};

#define TILESCOPE_INTEGERS "[u8 u16 u32 u64 s8 s16 s32 s64]"
#define TILESCOPE_INTEGRAL "[rni rzi rmi rpi]"
#define TILESCOPE_ROUNDING "[rn rz rm rp]"
#define TILESCOPE_CONVERTS .operands = "=L0 L1", .kind = kConversion, .effect = effect::kConvert, .bind = &bind_convert
constexpr Row kConvertRows[] = {
    {.syntax = "cvt." TILESCOPE_INTEGERS "." TILESCOPE_INTEGERS, TILESCOPE_CONVERTS},
    // Only results that cannot hold every source value may be saturated.
    {.syntax = "cvt.sat.u8.[s8 u16 s16 u32 s32 u64 s64]", TILESCOPE_CONVERTS},
    {.syntax = "cvt.sat.s8.[u8 u16 s16 u32 s32 u64 s64]", TILESCOPE_CONVERTS},
    {.syntax = "cvt.sat.u16.[s8 s16 u32 s32 u64 s64]", TILESCOPE_CONVERTS},
    {.syntax = "cvt.sat.s16.[u16 u32 s32 u64 s64]", TILESCOPE_CONVERTS},
    {.syntax = "cvt.sat.u32.[s8 s16 s32 u64 s64]", TILESCOPE_CONVERTS},
    {.syntax = "cvt.sat.s32.[u32 u64 s64]", TILESCOPE_CONVERTS},
    {.syntax = "cvt.sat.u64.[s8 s16 s32 s64]", TILESCOPE_CONVERTS},
    {.syntax = "cvt.sat.s64.u64", TILESCOPE_CONVERTS},
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
     .bind = &bind_convert,
     .operations = kHalfWidened},
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
     .needs = {71, 80},
     .operations = kBf16Widened},
    {.syntax = "cvt." TILESCOPE_ROUNDING "{.ftz}.f32.bf16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16,
     .operations = kBf16Widened},
    {.syntax = "cvt.ftz.f32.bf16",
     .operands = "=L0 L1",
     .kind = kConversion,
     .effect = effect::kConvert,
     .bind = &bind_convert,
     .needs = kBf16,
     .operations = kBf16Widened},
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
#undef TILESCOPE_CONVERTS
#undef TILESCOPE_INTEGERS
#undef TILESCOPE_INTEGRAL
#undef TILESCOPE_ROUNDING

}  // namespace

const Family& convert_family() {
    static constexpr Family kFamily{"convert", "conversions between types", kConvertRows, std::size(kConvertRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
