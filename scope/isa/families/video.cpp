// Video instructions on one byte, half or word of each source: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset,
// vmad.
//
// An sm_90 has none of them: ptxas makes ordinary instructions of them, and results are what these give on an H200
// (bench/hardware/video.cu, ptxas 13.0, 27 November 2026). Where that is not what PTX says, a comment says so.
#include "scope/isa/families/choose.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

// Where in a word a number lies. The sign is its highest bit, or 0 where it has none.
struct Part {
    unsigned shift = 0;
    U64 mask = ~U32{0}, sign = 0;

    Part() = default;
    Part(const Selector& selector, bool is_signed) {
        mask = ~U32{0} >> (32 - selector.bits);
        sign = is_signed ? U64{1} << (selector.bits - 1) : 0;
        if (selector.count != 0) shift = unsigned{selector.bits} * selector.at[0];
    }
    S64 of(U32 word) const { return static_cast<S64>((word >> shift & mask) ^ sign) - static_cast<S64>(sign); }
};

// The numbers that a result may have.
struct Limits {
    S64 least = INT64_MIN, most = INT64_MAX;
    S64 instead = INT64_MIN;  // of what is less

    S64 of(S64 x) const { return x < least ? instead : x > most ? most : x; }
};

// Of a word. PTX limits results without a sign from above, too; ptxas does so where it has to look beyond 33 bits.
Limits limits_of_word(bool is_signed, bool from_above) {
    if (is_signed) return {INT32_MIN, INT32_MAX, INT32_MIN};
    return {0, from_above ? S64{UINT32_MAX} : INT64_MAX, 0};
}
// Of a byte or half of c. By PTX a negative number would be the least there is.
Limits limits_of_part(unsigned bits, bool is_signed) {
    const S64 most = (S64{1} << (is_signed ? bits - 1 : bits)) - 1;
    return {0, most, most};
}

// The number that the low bits are, where `unused` bits lie above them.
S64 extended(S64 x, unsigned unused) { return static_cast<S64>(static_cast<U64>(x) << unused) >> unused; }

// What is done with a result and c.
enum class Then : std::uint8_t { kNothing, kAdd, kLesser, kGreater, kPlace };

// What a form is, apart from its operation.
struct OnParts {
    Part a, b, c;
    unsigned unused = 0;  // bits of a result that are cut off
    Limits limits;
    unsigned unused_then = 0;  // of one that is compared with c
    U64 flip = 0;              // of numbers with a sign, so that they compare as those without
    Part place;
    unsigned from = 0;  // where in the result the place's bits lie
};

struct Sum {
    static S64 apply(S64 a, S64 b) { return a + b; }
};
struct Difference {
    static S64 apply(S64 a, S64 b) { return a - b; }
};
struct Distance {
    static S64 apply(S64 a, S64 b) { return a > b ? a - b : b - a; }
};
struct Lesser {
    static S64 apply(S64 a, S64 b) { return a < b ? a : b; }
};
struct Greater {
    static S64 apply(S64 a, S64 b) { return a > b ? a : b; }
};

// By the low five bits, or by 32 where it is more.
template <bool kWrap>
unsigned amount_of(S64 b) {
    return static_cast<unsigned>(kWrap ? b & 31 : b < 32 ? b : 32);
}
template <bool kWrap>
struct ShiftLeft {
    static S64 apply(S64 a, S64 b) { return static_cast<S64>(static_cast<U64>(a) << amount_of<kWrap>(b)); }
};
template <bool kWrap>
struct ShiftRight {
    static S64 apply(S64 a, S64 b) { return a >> amount_of<kWrap>(b); }
};

enum class Relation : std::uint8_t { kEqual, kUnequal, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
template <Relation kRelation>
struct Compare {
    static S64 apply(S64 a, S64 b) {
        switch (kRelation) {
            case Relation::kEqual: return a == b;
            case Relation::kUnequal: return a != b;
            case Relation::kLess: return a < b;
            case Relation::kLessOrEqual: return a <= b;
            case Relation::kGreater: return a > b;
            case Relation::kGreaterOrEqual: return a >= b;
        }
        return 0;
    }
};

template <Then kThen>
U32 joined(S64 result, U32 word, const OnParts& form) {
    const U32 low = static_cast<U32>(result);
    const auto is_less = [&] {
        const U64 x = static_cast<U64>(extended(result, form.unused_then)), y = static_cast<U64>(form.c.of(word));
        return (x ^ form.flip) < (y ^ form.flip);
    };
    switch (kThen) {
        case Then::kNothing: return low;
        case Then::kAdd: return low + word;
        case Then::kLesser: return is_less() ? low : word;
        case Then::kGreater: return is_less() ? word : low;
        case Then::kPlace: {
            const U32 mask = static_cast<U32>(form.place.mask);
            return (low >> form.from & mask) << form.place.shift | (word & ~(mask << form.place.shift));
        }
    }
    return low;
}

template <class Operation, Then kThen>
void on_parts(Warp& warp, const Op& op) {
    const OnParts form = *static_cast<const OnParts*>(op.extra);
    const U32* a = warp.source<U32>(op.a);
    const U32* b = warp.source<U32>(op.b);
    const U32* c = kThen == Then::kNothing ? a : warp.source<U32>(op.c);
    write_lanes(warp.exec, warp.target<U32>(op.dst), [&](unsigned i) -> U32 {
        const S64 result = extended(Operation::apply(form.a.of(a[i]), form.b.of(b[i])), form.unused);
        return joined<kThen>(form.limits.of(result), c[i], form);
    });
}

// How ptxas makes an operation: in words, or with what lies above them.
enum class Width : std::uint8_t { kWord, kWide, kShiftLeft, kShiftRight };

// first: which of the form's types is a's. is_signed: of the result, and of c.
template <class Operation>
OpFn bind_parts(Binding& b, unsigned first, bool is_signed, Width width) {
    constexpr unsigned kAboveWord = 32, kAboveShifted = 30;
    const Selector& place = b.operands[0].selector;
    const bool shifts = width == Width::kShiftLeft || width == Width::kShiftRight;
    OnParts form;
    form.a = Part(b.operands[1].selector, isa::is_signed(b.type(first)));
    form.b = Part(b.operands[2].selector, isa::is_signed(b.type(first + 1)));
    form.c = Part({}, is_signed);
    form.place = Part(place, false);
    form.flip = is_signed ? U64{1} << 63 : 0;
    // By PTX the low half of the result.
    if (form.place.shift == 16 && place.bits == 16) form.from = 16;
    if (b.has("sat")) {
        form.limits = place.count != 0 && !shifts ? limits_of_part(place.bits, is_signed)
                                                  : limits_of_word(is_signed, width == Width::kShiftLeft);
        if (width == Width::kShiftLeft) form.unused = kAboveShifted;
    }
    if (width == Width::kWord || (shifts && b.has("sat"))) form.unused_then = kAboveWord;
    b.op.extra = b.keep(form);
    if (place.count != 0) return &on_parts<Operation, Then::kPlace>;
    if (b.has("add")) return &on_parts<Operation, Then::kAdd>;
    if (b.has("min")) return &on_parts<Operation, Then::kLesser>;
    if (b.has("max")) return &on_parts<Operation, Then::kGreater>;
    return &on_parts<Operation, Then::kNothing>;
}
template <class Operation, Width kWidth = Width::kWide>
OpFn bind_arithmetic(Binding& b) {
    return bind_parts<Operation>(b, 1, is_signed(b.type()), kWidth);
}
template <template <bool> class Operation, Width kWidth>
OpFn bind_shift(Binding& b) {
    return b.has("wrap") ? bind_arithmetic<Operation<true>, kWidth>(b) : bind_arithmetic<Operation<false>, kWidth>(b);
}
template <class Operation>
OpFn bind_relation(Binding& b) {
    return bind_parts<Operation>(b, 0, is_signed(b.type()), Width::kWide);
}
OpFn bind_compare(Binding& b) {
    if (b.has("eq")) return bind_relation<Compare<Relation::kEqual>>(b);
    if (b.has("ne")) return bind_relation<Compare<Relation::kUnequal>>(b);
    if (b.has("lt")) return bind_relation<Compare<Relation::kLess>>(b);
    if (b.has("le")) return bind_relation<Compare<Relation::kLessOrEqual>>(b);
    if (b.has("gt")) return bind_relation<Compare<Relation::kGreater>>(b);
    return bind_relation<Compare<Relation::kGreaterOrEqual>>(b);
}

// a * b + c, then shifted, then limited. The sources are taken for words with a sign, whichever their types are: by PTX
// those without are as large as they can be.
struct OnProduct {
    Part a, b;
    bool minus_product = false, minus_c = false;
    bool is_signed = false;  // the sum
    unsigned more = 0, shift = 0;
    Limits limits;
};

void multiply_add(Warp& warp, const Op& op) {
    const OnProduct form = *static_cast<const OnProduct*>(op.extra);
    const U32* a = warp.source<U32>(op.a);
    const U32* b = warp.source<U32>(op.b);
    const U32* c = warp.source<U32>(op.c);
    write_lanes(warp.exec, warp.target<U32>(op.dst), [&](unsigned i) -> U32 {
        const auto with_sign = [](S64 x) { return S64{static_cast<std::int32_t>(x)}; };
        const S64 product = with_sign(form.a.of(a[i])) * with_sign(form.b.of(b[i]));
        const S64 addend = with_sign(c[i]);
        S64 sum = (form.minus_product ? -product : product) + (form.minus_c ? -addend : addend) + form.more;
        sum = form.is_signed ? sum >> form.shift : static_cast<S64>(static_cast<U64>(sum) >> form.shift);
        return static_cast<U32>(form.limits.of(sum));
    });
}

OpFn bind_multiply_add(Binding& b) {
    const bool signed_a = is_signed(b.type(1)), signed_b = is_signed(b.type(2));
    OnProduct form;
    form.minus_product = b.operands[1].minus != b.operands[2].minus;
    form.minus_c = b.operands[3].minus;
    if (form.minus_product && form.minus_c) {
        b.fail("a minus of both the product and the addend");
        return nullptr;
    }
    if (b.has("po") && (form.minus_product || form.minus_c)) {
        b.fail("a minus");
        return nullptr;
    }
    form.is_signed = signed_a || signed_b || form.minus_product || form.minus_c;
    form.a = Part(b.operands[1].selector, signed_a);
    form.b = Part(b.operands[2].selector, signed_b);
    form.more = b.has("po") ? 1 : 0;
    form.shift = b.has("shr7") ? 7 : b.has("shr15") ? 15 : 0;
    if (b.has("sat")) form.limits = limits_of_word(form.is_signed, true);
    b.op.extra = b.keep(form);
    return &multiply_add;
}

constexpr Needs kVideo{20, 50};
constexpr std::string_view kNote = "results are those of the instructions that ptxas makes of it";
constexpr PartsWork kOfSum{3, 6}, kOfDistance{7, 6}, kOfChoice{5, 6}, kOfRelation{8}, kOfProduct{3, 7};
constexpr PartsWork kOfShiftLeft{5, 13}, kOfShiftRight{5, 7};

// What does nothing with c (ptxas takes one there, too), what joins the result to it, what puts it there.
#define TILESCOPE_ROW(operands_of, bound, work) \
    .operands = operands_of, .effect = effect::of_parts(work), .bind = bound, .needs = kVideo, .note = kNote
#define TILESCOPE_ALONE(bound, work) TILESCOPE_ROW("=b32 b32.part b32.part b32?", bound, work)
#define TILESCOPE_JOINED(bound, work) TILESCOPE_ROW("=b32 b32.part b32.part b32", bound, work)
#define TILESCOPE_PLACED(bound, work) TILESCOPE_ROW("=b32.place b32.part b32.part b32", bound, work)
#define TILESCOPE_ARITHMETIC ".[u32 s32].[u32 s32].[u32 s32]{.sat}"
#define TILESCOPE_SHIFT ".[u32 s32].[u32 s32].u32{.sat}.[clamp wrap]"
#define TILESCOPE_COMPARE ".[u32 s32].[u32 s32].[eq ne lt le gt ge]"
#define TILESCOPE_JOINS ".[add min max]"

constexpr Row kVideoRows[] = {
    {.syntax = "vadd" TILESCOPE_ARITHMETIC, TILESCOPE_ALONE((&bind_arithmetic<Sum, Width::kWord>), kOfSum)},
    {.syntax = "vadd" TILESCOPE_ARITHMETIC TILESCOPE_JOINS,
     TILESCOPE_JOINED((&bind_arithmetic<Sum, Width::kWord>), kOfSum)},
    {.syntax = "vadd" TILESCOPE_ARITHMETIC, TILESCOPE_PLACED((&bind_arithmetic<Sum, Width::kWord>), kOfSum)},
    {.syntax = "vsub" TILESCOPE_ARITHMETIC, TILESCOPE_ALONE((&bind_arithmetic<Difference, Width::kWord>), kOfSum)},
    {.syntax = "vsub" TILESCOPE_ARITHMETIC TILESCOPE_JOINS,
     TILESCOPE_JOINED((&bind_arithmetic<Difference, Width::kWord>), kOfSum)},
    {.syntax = "vsub" TILESCOPE_ARITHMETIC, TILESCOPE_PLACED((&bind_arithmetic<Difference, Width::kWord>), kOfSum)},
    {.syntax = "vabsdiff" TILESCOPE_ARITHMETIC, TILESCOPE_ALONE(&bind_arithmetic<Distance>, kOfDistance)},
    {.syntax = "vabsdiff" TILESCOPE_ARITHMETIC TILESCOPE_JOINS,
     TILESCOPE_JOINED(&bind_arithmetic<Distance>, kOfDistance)},
    {.syntax = "vabsdiff" TILESCOPE_ARITHMETIC, TILESCOPE_PLACED(&bind_arithmetic<Distance>, kOfDistance)},
    {.syntax = "vmin" TILESCOPE_ARITHMETIC, TILESCOPE_ALONE(&bind_arithmetic<Lesser>, kOfChoice)},
    {.syntax = "vmin" TILESCOPE_ARITHMETIC TILESCOPE_JOINS, TILESCOPE_JOINED(&bind_arithmetic<Lesser>, kOfChoice)},
    {.syntax = "vmin" TILESCOPE_ARITHMETIC, TILESCOPE_PLACED(&bind_arithmetic<Lesser>, kOfChoice)},
    {.syntax = "vmax" TILESCOPE_ARITHMETIC, TILESCOPE_ALONE(&bind_arithmetic<Greater>, kOfChoice)},
    {.syntax = "vmax" TILESCOPE_ARITHMETIC TILESCOPE_JOINS, TILESCOPE_JOINED(&bind_arithmetic<Greater>, kOfChoice)},
    {.syntax = "vmax" TILESCOPE_ARITHMETIC, TILESCOPE_PLACED(&bind_arithmetic<Greater>, kOfChoice)},
    {.syntax = "vshl" TILESCOPE_SHIFT, TILESCOPE_ALONE((&bind_shift<ShiftLeft, Width::kShiftLeft>), kOfShiftLeft)},
    {.syntax = "vshl" TILESCOPE_SHIFT TILESCOPE_JOINS,
     TILESCOPE_JOINED((&bind_shift<ShiftLeft, Width::kShiftLeft>), kOfShiftLeft)},
    {.syntax = "vshl" TILESCOPE_SHIFT, TILESCOPE_PLACED((&bind_shift<ShiftLeft, Width::kShiftLeft>), kOfShiftLeft)},
    {.syntax = "vshr" TILESCOPE_SHIFT, TILESCOPE_ALONE((&bind_shift<ShiftRight, Width::kShiftRight>), kOfShiftRight)},
    {.syntax = "vshr" TILESCOPE_SHIFT TILESCOPE_JOINS,
     TILESCOPE_JOINED((&bind_shift<ShiftRight, Width::kShiftRight>), kOfShiftRight)},
    {.syntax = "vshr" TILESCOPE_SHIFT, TILESCOPE_PLACED((&bind_shift<ShiftRight, Width::kShiftRight>), kOfShiftRight)},
    {.syntax = "vset" TILESCOPE_COMPARE, TILESCOPE_ALONE(&bind_compare, kOfRelation)},
    {.syntax = "vset" TILESCOPE_COMPARE TILESCOPE_JOINS, TILESCOPE_JOINED(&bind_compare, kOfRelation)},
    {.syntax = "vset" TILESCOPE_COMPARE, TILESCOPE_PLACED(&bind_compare, kOfRelation)},
    {.syntax = "vmad.[u32 s32].[u32 s32].[u32 s32]{.po}{.sat}{.[shr7 shr15]}",
     TILESCOPE_ROW("=b32 -b32.part -b32.part -b32", &bind_multiply_add, kOfProduct)},
};

}  // namespace

const Family& video_family() {
    static constexpr Family kFamily{"video", "one byte, half or word of each source, and what is done with c",
                                    kVideoRows, std::size(kVideoRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
