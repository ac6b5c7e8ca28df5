// setp and set.
#include "scope/isa/families/choose.h"
#include "scope/isa/families/compare_values.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;

// ---- the comparison itself ------------------------------------------------------------------------------------------

// The mask of lanes where it holds.
using MaskFn = U32 (*)(const Warp&, const Op&);

template <class Reader, Comparison kOperator>
U32 compared(const Warp& warp, const Op& op) {
    const auto* a = warp.source<typename Reader::Lane>(op.a);
    const auto* b = warp.source<typename Reader::Lane>(op.b);
    return lanes_where([&](unsigned i) { return holds<kOperator>(Reader::value(a[i]), Reader::value(b[i])); });
}
template <class Reader, Comparison kOperator>
void set_predicate(Warp& warp, const Op& op) {
    warp.set_predicate(op.dst, compared<Reader, kOperator>(warp, op));
}

// The comparison alone, and the instruction that is nothing else: one predicate destination.
struct Functions {
    MaskFn mask = nullptr;
    OpFn whole = nullptr;
};
template <class Reader, Comparison kOperator>
Functions functions() {
    return {&compared<Reader, kOperator>, &set_predicate<Reader, kOperator>};
}

struct OperatorName {
    std::string_view name;
    Comparison value;
};
constexpr OperatorName kOperators[] = {
    {"eq", Comparison::kEq},   {"ne", Comparison::kNe},   {"lt", Comparison::kLt},   {"le", Comparison::kLe},
    {"gt", Comparison::kGt},   {"ge", Comparison::kGe},   {"lo", Comparison::kLt},   {"ls", Comparison::kLe},
    {"hi", Comparison::kGt},   {"hs", Comparison::kGe},   {"equ", Comparison::kEqu}, {"neu", Comparison::kNeu},
    {"ltu", Comparison::kLtu}, {"leu", Comparison::kLeu}, {"gtu", Comparison::kGtu}, {"geu", Comparison::kGeu},
    {"num", Comparison::kNum}, {"nan", Comparison::kNan},
};
Comparison operator_of(const Form& form) {
    for (const OperatorName& entry : kOperators)
        if (form.words()[0] == entry.name) return entry.value;
    return Comparison::kEq;
}

template <class Reader>
Functions by_integer_operator(Comparison which) {
    switch (which) {
        case Comparison::kEq: return functions<Reader, Comparison::kEq>();
        case Comparison::kNe: return functions<Reader, Comparison::kNe>();
        case Comparison::kLt: return functions<Reader, Comparison::kLt>();
        case Comparison::kLe: return functions<Reader, Comparison::kLe>();
        case Comparison::kGt: return functions<Reader, Comparison::kGt>();
        default: return functions<Reader, Comparison::kGe>();
    }
}
template <class Reader>
Functions by_operator(Comparison which) {
    switch (which) {
        case Comparison::kEqu: return functions<Reader, Comparison::kEqu>();
        case Comparison::kNeu: return functions<Reader, Comparison::kNeu>();
        case Comparison::kLtu: return functions<Reader, Comparison::kLtu>();
        case Comparison::kLeu: return functions<Reader, Comparison::kLeu>();
        case Comparison::kGtu: return functions<Reader, Comparison::kGtu>();
        case Comparison::kGeu: return functions<Reader, Comparison::kGeu>();
        case Comparison::kNum: return functions<Reader, Comparison::kNum>();
        case Comparison::kNan: return functions<Reader, Comparison::kNan>();
        default: return by_integer_operator<Reader>(which);
    }
}

// kShift: which half of a packed type.
template <unsigned kShift>
Functions by_type(Type type, bool flush, Comparison which) {
    switch (type) {
        case Type::kF16x2:
            return flush ? by_operator<Half<U32, kShift, true>>(which) : by_operator<Half<U32, kShift, false>>(which);
        case Type::kBf16x2: return by_operator<Brain<U32, kShift>>(which);
        case Type::kF16:
            return flush ? by_operator<Half<U16, 0, true>>(which) : by_operator<Half<U16, 0, false>>(which);
        case Type::kBf16: return by_operator<Brain<U16, 0>>(which);
        case Type::kF32: return flush ? by_operator<FlushedSingle>(which) : by_operator<Plain<float>>(which);
        case Type::kF64: return by_operator<Plain<double>>(which);
        case Type::kS16: return by_integer_operator<Plain<std::int16_t>>(which);
        case Type::kS32: return by_integer_operator<Plain<std::int32_t>>(which);
        case Type::kS64: return by_integer_operator<Plain<std::int64_t>>(which);
        case Type::kB16:
        case Type::kU16: return by_integer_operator<Plain<U16>>(which);
        case Type::kB32:
        case Type::kU32: return by_integer_operator<Plain<U32>>(which);
        default: return by_integer_operator<Plain<std::uint64_t>>(which);
    }
}
bool is_packed(Type type) { return type == Type::kF16x2 || type == Type::kBf16x2; }

// ---- the forms with more to them ------------------------------------------------------------------------------------

enum class Combine : std::uint8_t { kAlone, kAnd, kOr, kXor };

// op.extra of the general forms.
struct Comparing {
    MaskFn low = nullptr, high = nullptr;  // high: the second half of a packed type
    Combine combine = Combine::kAlone;
    machine::Operand with;
    U32 with_flip = 0;
    DestinationPair to;
};

U32 combined(const Comparing& x, const Warp& warp, U32 compared) {
    const U32 with = x.combine == Combine::kAlone ? 0u : warp.predicate(x.with) ^ x.with_flip;
    switch (x.combine) {
        case Combine::kAlone: return compared;
        case Combine::kAnd: return compared & with;
        case Combine::kOr: return compared | with;
        case Combine::kXor: return compared ^ with;
    }
    return compared;
}

// p|q: q is the combination of the opposite, or of the second half.
void set_predicates(Warp& warp, const Op& op) {
    const auto& x = *static_cast<const Comparing*>(op.extra);
    const U32 low = x.low(warp, op);
    const U32 first = combined(x, warp, low);
    const U32 second = combined(x, warp, x.high ? x.high(warp, op) : ~low);
    if (x.to.has_first) warp.set_predicate(x.to.first, first);
    if (x.to.has_second) warp.set_predicate(x.to.second, second);
}

// op.immediate is the value for "true".
template <class D>
void set_value(Warp& warp, const Op& op) {
    const auto& x = *static_cast<const Comparing*>(op.extra);
    const U32 lanes = combined(x, warp, x.low(warp, op));
    const auto yes = static_cast<D>(op.immediate);
    write_lanes(warp.exec, warp.target<D>(op.dst), [&](unsigned i) -> D { return (lanes >> i & 1u) ? yes : D{0}; });
}
// The same for both halves.
void set_packed(Warp& warp, const Op& op) {
    const auto& x = *static_cast<const Comparing*>(op.extra);
    const U32 low = combined(x, warp, x.low(warp, op));
    const U32 high = combined(x, warp, x.high(warp, op));
    const auto yes = static_cast<U32>(op.immediate);
    write_lanes(warp.exec, warp.target<U32>(op.dst),
                [&](unsigned i) -> U32 { return ((low >> i & 1u) ? yes : 0u) | ((high >> i & 1u) ? yes << 16 : 0u); });
}

Comparing comparing(Binding& b, Type source) {
    Comparing x;
    const Comparison which = operator_of(b.form);
    x.low = by_type<0>(source, b.has("ftz"), which).mask;
    if (is_packed(source)) x.high = by_type<16>(source, b.has("ftz"), which).mask;
    if (b.has("and")) x.combine = Combine::kAnd;
    if (b.has("or")) x.combine = Combine::kOr;
    if (b.has("xor")) x.combine = Combine::kXor;
    if (x.combine != Combine::kAlone) {
        x.with = b.operands[3].slot;
        x.with_flip = b.operands[3].negated ? ~0u : 0u;
    }
    x.to = destination_pair(b.operands[0]);
    return x;
}

OpFn bind_setp(Binding& b) {
    const Comparing x = comparing(b, b.type());
    if (x.combine == Combine::kAlone && x.to.has_first && !x.to.has_second) {
        b.op.dst = x.to.first;
        return by_type<0>(b.type(), b.has("ftz"), operator_of(b.form)).whole;
    }
    b.op.extra = b.keep(x);
    return &set_predicates;
}

OpFn bind_set(Binding& b) {
    b.op.extra = b.keep(comparing(b, b.type(1)));
    const Type to = b.type(0);
    const bool packed = is_packed(b.type(1));
    switch (to) {
        case Type::kF16:
        case Type::kF16x2: b.op.immediate = 0x3c00; break;
        case Type::kBf16:
        case Type::kBf16x2: b.op.immediate = 0x3f80; break;
        case Type::kF32: b.op.immediate = 0x3f800000; break;
        default: b.op.immediate = bytes_of(to) == 2 || packed ? 0xffff : 0xffffffff; break;
    }
    if (packed) return &set_packed;
    return bytes_of(to) == 2 ? &set_value<U16> : &set_value<U32>;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

#define EQUALITY ".[eq ne]"
#define SIGNED ".[eq ne lt le gt ge]"
#define UNSIGNED ".[eq ne lt le gt ge lo ls hi hs]"
#define FLOAT ".[eq ne lt le gt ge equ neu ltu leu gtu geu num nan]"
#define COMBINE ".[and or xor]"
// One row for the form alone and one with the Boolean operator.
#define SETP(compare, ftz, types, to, ...)                                                                  \
    {.syntax = "setp" compare ftz types,                                                                    \
     .operands = "=" to " T0 T0",                                                                           \
     .kind = Class::kMove,                                                                                  \
     .effect = effect::kCompare,                                                                            \
     .bind = &bind_setp,                                                                                    \
     .needs = __VA_ARGS__},                                                                                 \
    {                                                                                                       \
        .syntax = "setp" compare COMBINE ftz types, .operands = "=" to " T0 T0 pred", .kind = Class::kMove, \
        .effect = effect::kCompare, .bind = &bind_setp, .needs = __VA_ARGS__                                \
    }
#define SET(compare, ftz, to, types, ...)                                                                 \
    {.syntax = "set" compare ftz to types,                                                                \
     .operands = "=T0 T1 T1",                                                                             \
     .kind = Class::kMove,                                                                                \
     .effect = effect::kApply,                                                                            \
     .bind = &bind_set,                                                                                   \
     .needs = __VA_ARGS__},                                                                               \
    {                                                                                                     \
        .syntax = "set" compare COMBINE ftz to types, .operands = "=T0 T1 T1 pred", .kind = Class::kMove, \
        .effect = effect::kApply, .bind = &bind_set, .needs = __VA_ARGS__                                 \
    }

constexpr Needs kAny{}, kHalf{42, 53}, kHalfToInteger{65, 53}, kBrain{78, 90};
constexpr Row kCompareRows[] = {
    SETP(EQUALITY, "", ".[b16 b32 b64]", "pred|pred", kAny),
    SETP(SIGNED, "", ".[s16 s32 s64]", "pred|pred", kAny),
    SETP(UNSIGNED, "", ".[u16 u32 u64]", "pred|pred", kAny),
    SETP(FLOAT, "{.ftz}", ".f32", "pred|pred", kAny),
    SETP(FLOAT, "", ".f64", "pred|pred", kAny),
    SETP(FLOAT, "{.ftz}", ".f16", "pred", kHalf),
    SETP(FLOAT, "{.ftz}", ".f16x2", "pred|pred", kHalf),
    SETP(FLOAT, "", ".bf16", "pred", kBrain),
    SETP(FLOAT, "", ".bf16x2", "pred|pred", kBrain),
    SET(EQUALITY, "", ".[u32 s32 f32]", ".[b16 b32 b64]", kAny),
    SET(SIGNED, "", ".[u32 s32 f32]", ".[s16 s32 s64]", kAny),
    SET(UNSIGNED, "", ".[u32 s32 f32]", ".[u16 u32 u64]", kAny),
    SET(FLOAT, "{.ftz}", ".[u32 s32 f32]", ".f32", kAny),
    SET(FLOAT, "", ".[u32 s32 f32]", ".f64", kAny),
    SET(EQUALITY, "", ".f16", ".[b16 b32 b64]", kHalf),
    SET(SIGNED, "", ".f16", ".[s16 s32 s64]", kHalf),
    SET(UNSIGNED, "", ".f16", ".[u16 u32 u64]", kHalf),
    SET(FLOAT, "{.ftz}", ".f16", ".[f16 f32]", kHalf),
    SET(FLOAT, "", ".f16", ".f64", kHalf),
    SET(FLOAT, "{.ftz}", ".[u16 s16 u32 s32]", ".f16", kHalfToInteger),
    SET(FLOAT, "{.ftz}", ".f16x2", ".f16x2", kHalf),
    SET(FLOAT, "{.ftz}", ".[u32 s32]", ".f16x2", kHalfToInteger),
    SET(EQUALITY, "", ".bf16", ".[b16 b32 b64]", kBrain),
    SET(SIGNED, "", ".bf16", ".[s16 s32 s64]", kBrain),
    SET(UNSIGNED, "", ".bf16", ".[u16 u32 u64]", kBrain),
    SET(FLOAT, "", ".bf16", ".[bf16 f16 f32 f64]", kBrain),
    SET(FLOAT, "", ".[u16 s16 u32 s32]", ".bf16", kBrain),
    SET(FLOAT, "", ".[bf16x2 u32 s32]", ".bf16x2", kBrain),
};

}  // namespace

const Family& compare_family() {
    static constexpr Family kFamily{"compare", "comparison", kCompareRows, std::size(kCompareRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
