// Bitwise logic, shifts and byte permutation: and, or, xor, not, cnot, lop3, shl, shr, shf, prmt.
#include <type_traits>

#include "scope/isa/families/choose.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using U32 = std::uint32_t;

template <class T>
struct And {
    static T apply(T a, T b) { return static_cast<T>(a & b); }
};
template <class T>
struct Or {
    static T apply(T a, T b) { return static_cast<T>(a | b); }
};
template <class T>
struct Xor {
    static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};
template <class T>
struct Not {
    static T apply(T a) { return static_cast<T>(~a); }
};
template <class T>
struct LogicalNot {
    static T apply(T a) { return a == 0 ? T{1} : T{0}; }
};

// Predicates: all lanes are one word.
template <template <class> class Body>
void predicate_binary(Warp& warp, const Op& op) {
    warp.set_predicate(op.dst, Body<U32>::apply(source_mask(warp, op, op.a, 1), source_mask(warp, op, op.b, 2)));
}
void predicate_not(Warp& warp, const Op& op) { warp.set_predicate(op.dst, ~source_mask(warp, op, op.a, 1)); }

template <template <class> class Body>
OpFn bind_bitwise(Binding& b) {
    if (b.type() != Type::kPred) return binary_bits<Body>(b.type());
    note_negations(b);
    return &predicate_binary<Body>;
}
OpFn bind_not(Binding& b) {
    if (b.type() != Type::kPred) return unary_bits<Not>(b.type());
    note_negations(b);
    return &predicate_not;
}
OpFn bind_cnot(Binding& b) { return unary_bits<LogicalNot>(b.type()); }

// ---- lop3 -----------------------------------------------------------------------------------------------------------

// Where s is set x, elsewhere y.
inline U32 choose(U32 s, U32 x, U32 y) { return y ^ ((x ^ y) & s); }

// Bit (a << 2 | b << 1 | c) of the table, for every bit of the operands.
struct Lookup {
    U32 entries[8];
    explicit Lookup(std::int64_t table) {
        for (unsigned n = 0; n < 8; ++n) entries[n] = (table >> n & 1) ? ~0u : 0u;
    }
    U32 operator()(U32 a, U32 b, U32 c) const {
        const U32 b_clear = choose(b, choose(c, entries[3], entries[2]), choose(c, entries[1], entries[0]));
        const U32 b_set = choose(b, choose(c, entries[7], entries[6]), choose(c, entries[5], entries[4]));
        return choose(a, b_set, b_clear);
    }
};

void lop3(Warp& warp, const Op& op) {
    const U32* a = warp.source<U32>(op.a);
    const U32* b = warp.source<U32>(op.b);
    const U32* c = warp.source<U32>(op.c);
    const Lookup table(op.immediate);
    write_lanes(warp.exec, warp.target<U32>(op.dst), [&](unsigned i) -> U32 { return table(a[i], b[i], c[i]); });
}

struct LogicToPredicate {
    DestinationPair to;
    machine::Operand with;
    U32 with_flip = 0;
    bool is_and = false;
};

// lop3.or, lop3.and: also a predicate, (d != 0) combined with another one.
void lop3_predicate(Warp& warp, const Op& op) {
    const auto& x = *static_cast<const LogicToPredicate*>(op.extra);
    const U32* a = warp.source<U32>(op.a);
    const U32* b = warp.source<U32>(op.b);
    const U32* c = warp.source<U32>(op.c);
    const Lookup table(op.immediate);
    const U32 nonzero = lanes_where([&](unsigned i) { return table(a[i], b[i], c[i]) != 0; });
    const U32 with = warp.predicate(x.with) ^ x.with_flip;
    if (x.to.has_first) lop3(warp, op);
    if (x.to.has_second) warp.set_predicate(x.to.second, x.is_and ? nonzero & with : nonzero | with);
}

bool take_table(Binding& b) {
    const BoundOperand& table = b.operands[4];
    if (!table.is_immediate) {
        b.fail("the lookup table of lop3 is not a constant", "write it as an integer constant from 0 to 255");
        return false;
    }
    b.op.immediate = table.value & 0xff;
    return true;
}
OpFn bind_lop3(Binding& b) { return take_table(b) ? &lop3 : nullptr; }
OpFn bind_lop3_predicate(Binding& b) {
    if (!take_table(b)) return nullptr;
    const BoundOperand& with = b.operands[5];
    const LogicToPredicate x{destination_pair(b.operands[0]), with.slot, with.negated ? ~0u : 0u, b.has("and")};
    b.op.dst = x.to.first;
    b.op.extra = b.keep(x);
    return &lop3_predicate;
}

// ---- shifts ---------------------------------------------------------------------------------------------------------

template <class T>
struct ShiftLeft {
    static T apply(T a, U32 amount) {
        return amount >= kBits<T> ? T{0} : static_cast<T>(a << (amount & (kBits<T> - 1)));
    }
};
// Amounts beyond the width leave nothing, or the sign.
template <class T>
struct ShiftRight {
    static T apply(T a, U32 amount) {
        if constexpr (std::is_signed_v<T>)
            return static_cast<T>(a >> (amount >= kBits<T> ? kBits<T> - 1 : amount));
        else
            return amount >= kBits<T> ? T{0} : static_cast<T>(a >> (amount & (kBits<T> - 1)));
    }
};
OpFn bind_shl(Binding& b) {
    return with_bits(b.type(), [](auto t) -> OpFn {
        using T = decltype(t);
        return &binary<T, T, U32, ShiftLeft<T>>;
    });
}
OpFn bind_shr(Binding& b) {
    return with_integer(b.type(), [](auto t) -> OpFn {
        using T = decltype(t);
        return &binary<T, T, U32, ShiftRight<T>>;
    });
}

// Funnel shifts of b:a. Amounts are at most 32.
template <bool kLeft, bool kClamp>
struct Funnel {
    static U32 apply(U32 a, U32 b, U32 amount) {
        const U32 n = kClamp ? (amount > 32 ? 32 : amount) : amount & 31u;
        const std::uint64_t both = std::uint64_t{b} << 32 | a;
        return kLeft ? static_cast<U32>(both << n >> 32) : static_cast<U32>(both >> n);
    }
};
template <bool kLeft>
OpFn pick_funnel(Binding& b) {
    return b.has("clamp") ? &ternary<U32, U32, U32, U32, Funnel<kLeft, true>>
                          : &ternary<U32, U32, U32, U32, Funnel<kLeft, false>>;
}
OpFn bind_shf(Binding& b) { return b.has("l") ? pick_funnel<true>(b) : pick_funnel<false>(b); }

// ---- prmt -----------------------------------------------------------------------------------------------------------

// One byte of b:a, or with bit 3 of the selector its sign, in all eight bits.
inline U32 permuted_byte(std::uint64_t both, U32 selector) {
    const auto byte = static_cast<U32>(both >> 8 * (selector & 7u)) & 0xffu;
    const U32 sign = (byte & 0x80u) ? 0xffu : 0u;
    return (selector & 8u) ? sign : byte;
}
struct Permute {
    static U32 apply(U32 a, U32 b, U32 selectors) {
        const std::uint64_t both = std::uint64_t{b} << 32 | a;
        return permuted_byte(both, selectors) | permuted_byte(both, selectors >> 4) << 8 |
               permuted_byte(both, selectors >> 8) << 16 | permuted_byte(both, selectors >> 12) << 24;
    }
};
// The named modes: the two low bits of c choose one of four selectors, kept side by side in op.immediate.
void permute_by_mode(Warp& warp, const Op& op) {
    const U32* a = warp.source<U32>(op.a);
    const U32* b = warp.source<U32>(op.b);
    const U32* c = warp.source<U32>(op.c);
    const auto selectors = static_cast<std::uint64_t>(op.immediate);
    write_lanes(warp.exec, warp.target<U32>(op.dst), [&](unsigned i) -> U32 {
        return Permute::apply(a[i], b[i], static_cast<U32>(selectors >> 16 * (c[i] & 3u)) & 0xffffu);
    });
}
OpFn bind_prmt(Binding& b) {
    struct Mode {
        std::string_view name;
        std::uint64_t selectors;  // for c = 3, 2, 1, 0, from the top
    };
    constexpr Mode kModes[] = {
        {"f4e", 0x6543'5432'4321'3210}, {"b4e", 0x0123'7012'6701'5670}, {"rc8", 0x3333'2222'1111'0000},
        {"ecl", 0x3333'3222'3211'3210}, {"ecr", 0x3210'2210'1110'0000}, {"rc16", 0x3232'1010'3232'1010},
    };
    for (const Mode& mode : kModes) {
        if (!b.has(mode.name)) continue;
        b.op.immediate = static_cast<std::int64_t>(mode.selectors);
        return &permute_by_mode;
    }
    return &ternary<U32, U32, U32, U32, Permute>;
}

// What is under a predicate reads it inverted: ptxas needs no instruction for it.
constexpr Effect kInversion{
    .flow = machine::FlowKind::kApply, .spread = machine::Spread::kBits, .expansion = Expansion::kNone};
constexpr Class kPredicates = Class::kMove;  // predicate logic counts as predicate work
constexpr Row kLogicRows[] = {
    {.syntax = "and.[b16 b32 b64]", .operands = "=T0 T0 T0", .effect = effect::kAnd, .bind = &bind_bitwise<And>},
    {.syntax = "or.[b16 b32 b64]", .operands = "=T0 T0 T0", .effect = effect::kOr, .bind = &bind_bitwise<Or>},
    {.syntax = "xor.[b16 b32 b64]", .operands = "=T0 T0 T0", .effect = effect::kXor, .bind = &bind_bitwise<Xor>},
    {.syntax = "and.pred",
     .operands = "=pred pred pred",
     .kind = kPredicates,
     .effect = effect::kAnd,
     .bind = &bind_bitwise<And>},
    {.syntax = "or.pred",
     .operands = "=pred pred pred",
     .kind = kPredicates,
     .effect = effect::kOr,
     .bind = &bind_bitwise<Or>},
    {.syntax = "xor.pred",
     .operands = "=pred pred pred",
     .kind = kPredicates,
     .effect = effect::kXor,
     .bind = &bind_bitwise<Xor>},
    {.syntax = "not.[b16 b32 b64]", .operands = "=T0 T0", .effect = effect::kNot, .bind = &bind_not},
    {.syntax = "not.pred", .operands = "=pred pred", .kind = kPredicates, .effect = kInversion, .bind = &bind_not},
    {.syntax = "cnot.[b16 b32 b64]", .operands = "=T0 T0", .effect = effect::kApply, .bind = &bind_cnot},
    {.syntax = "lop3.b32",
     .operands = "=b32 b32 b32 b32 b32",
     .effect = effect::kLogic,
     .bind = &bind_lop3,
     .needs = {43, 50}},
    {.syntax = "lop3.[or and].b32",
     .operands = "=b32|pred b32 b32 b32 b32 pred",
     .effect = effect::kApply,
     .bind = &bind_lop3_predicate,
     .needs = {82, 70}},
    {.syntax = "shl.[b16 b32 b64]", .operands = "=T0 T0 u32", .effect = effect::kShiftLeft, .bind = &bind_shl},
    {.syntax = "shr.[b16 b32 b64 u16 u32 u64 s16 s32 s64]",
     .operands = "=T0 T0 u32",
     .effect = effect::kShiftRight,
     .bind = &bind_shr},
    {.syntax = "shf.l~.[clamp wrap].b32",
     .operands = "=b32 b32 b32 u32",
     .effect = effect::kFunnelLeft,
     .bind = &bind_shf,
     .needs = {31, 50}},
    {.syntax = "shf.r~.[clamp wrap].b32",
     .operands = "=b32 b32 b32 u32",
     .effect = effect::kFunnelRight,
     .bind = &bind_shf,
     .needs = {31, 50}},
    {.syntax = "prmt.b32",
     .operands = "=b32 b32 b32 b32",
     .effect = effect::kPermute,
     .bind = &bind_prmt,
     .needs = {20, 50}},
    {.syntax = "prmt.b32.[f4e b4e rc8 ecl ecr rc16]",
     .operands = "=b32 b32 b32 b32",
     .effect = effect::kApply,
     .bind = &bind_prmt,
     .needs = {20, 50}},
};

}  // namespace

const Family& logic_family() {
    static constexpr Family kFamily{"logic", "bitwise logic, shifts and byte permutation", kLogicRows,
                                    std::size(kLogicRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
