// Video instructions on two halves or four bytes of a word: vadd2, vadd4 and their kin.
//
// Each element of a and b may be any of the two words' elements. Results go into those elements of c that the
// destination names, or are added to c.
#include <array>

#include "scope/isa/families/choose.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using U32 = std::uint32_t;
using S32 = std::int32_t;
using U64 = std::uint64_t;

// What a form is, apart from its operation and how many elements it has.
struct OnElements {
    std::array<std::uint8_t, kElementsMax> a{}, b{};  // where each lies in b:a
    S32 sign_a = 0, sign_b = 0;                       // the highest bit, or 0 where there is no sign
    S32 least = INT32_MIN, most = INT32_MAX;          // of a result
    U32 mask = 0;                                     // of c's bits that results take the place of
    std::array<U32, kElementsMax> added{};            // all ones for the results that are added to c
};

struct Sum {
    static S32 apply(S32 a, S32 b) { return a + b; }
};
struct Difference {
    static S32 apply(S32 a, S32 b) { return a - b; }
};
struct Distance {
    static S32 apply(S32 a, S32 b) { return a > b ? a - b : b - a; }
};
struct Mean {  // halves go away from zero
    static S32 apply(S32 a, S32 b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }
};
struct Lesser {
    static S32 apply(S32 a, S32 b) { return a < b ? a : b; }
};
struct Greater {
    static S32 apply(S32 a, S32 b) { return a > b ? a : b; }
};
struct Equal {
    static S32 apply(S32 a, S32 b) { return a == b; }
};
struct Unequal {
    static S32 apply(S32 a, S32 b) { return a != b; }
};
struct Less {
    static S32 apply(S32 a, S32 b) { return a < b; }
};
struct LessOrEqual {
    static S32 apply(S32 a, S32 b) { return a <= b; }
};

template <class Operation>
struct Swapped {
    static S32 apply(S32 a, S32 b) { return Operation::apply(b, a); }
};

// kOwn: the elements are a's and b's own, in their order.
template <class Operation, unsigned kBits, bool kAdds, bool kOwn>
void on_elements(Warp& warp, const Op& op) {
    constexpr U32 kElement = (1u << kBits) - 1;
    const OnElements form = *static_cast<const OnElements*>(op.extra);
    const U32* a = warp.source<U32>(op.a);
    const U32* b = warp.source<U32>(op.b);
    const U32* c = warp.source<U32>(op.c);
    const auto element = [](U32 bits, S32 sign) { return (static_cast<S32>(bits & kElement) ^ sign) - sign; };
    write_lanes(warp.exec, warp.target<U32>(op.dst), [&](unsigned i) -> U32 {
        const U64 both = kOwn ? 0 : U64{b[i]} << 32 | a[i];
        U32 sum = c[i], results = 0;
        for (unsigned n = 0; n < 32 / kBits; ++n) {
            const S32 x = element(kOwn ? a[i] >> n * kBits : static_cast<U32>(both >> form.a[n]), form.sign_a);
            const S32 y = element(kOwn ? b[i] >> n * kBits : static_cast<U32>(both >> form.b[n]), form.sign_b);
            S32 r = Operation::apply(x, y);
            if (kAdds) {
                sum += static_cast<U32>(r) & form.added[n];
                continue;
            }
            r = r < form.least ? form.least : r > form.most ? form.most : r;
            results |= (static_cast<U32>(r) & kElement) << n * kBits;
        }
        return kAdds ? sum : (results & form.mask) | (c[i] & ~form.mask);
    });
}

// first: which of the form's types is a's.
template <class Operation, unsigned kBits>
OpFn bind_elements(Binding& b, unsigned first) {
    constexpr unsigned kCount = 32 / kBits;
    const Selector &to = b.operands[0].selector, &from_a = b.operands[1].selector, &from_b = b.operands[2].selector;
    OnElements form;
    bool own = true;
    for (unsigned n = 0; n < kCount; ++n) {
        const unsigned a = from_a.count != 0 ? from_a.at[n] : n, y = from_b.count != 0 ? from_b.at[n] : kCount + n;
        own = own && a == n && y == kCount + n;
        form.a[n] = static_cast<std::uint8_t>(a * kBits), form.b[n] = static_cast<std::uint8_t>(y * kBits);
        bool named = to.count == 0;
        for (unsigned k = 0; k < to.count; ++k) named = named || to.at[k] == n;
        if (!named) continue;
        form.mask |= ((1u << kBits) - 1) << n * kBits;
        form.added[n] = ~0u;
    }
    if (is_signed(b.type(first))) form.sign_a = 1 << (kBits - 1);
    if (is_signed(b.type(first + 1))) form.sign_b = 1 << (kBits - 1);
    if (b.has("sat")) {
        const bool with_sign = is_signed(b.type());
        form.least = with_sign ? -(1 << (kBits - 1)) : 0;
        form.most = (1 << (with_sign ? kBits - 1 : kBits)) - 1;
    }
    b.op.extra = b.keep(form);
    if (b.has("add"))
        return own ? &on_elements<Operation, kBits, true, true> : &on_elements<Operation, kBits, true, false>;
    return own ? &on_elements<Operation, kBits, false, true> : &on_elements<Operation, kBits, false, false>;
}
template <class Operation, unsigned kBits>
OpFn bind_arithmetic(Binding& b) {
    return bind_elements<Operation, kBits>(b, 1);
}
template <unsigned kBits>
OpFn bind_compare(Binding& b) {
    if (b.has("eq")) return bind_elements<Equal, kBits>(b, 0);
    if (b.has("ne")) return bind_elements<Unequal, kBits>(b, 0);
    if (b.has("lt")) return bind_elements<Less, kBits>(b, 0);
    if (b.has("le")) return bind_elements<LessOrEqual, kBits>(b, 0);
    if (b.has("gt")) return bind_elements<Swapped<Less>, kBits>(b, 0);
    return bind_elements<Swapped<LessOrEqual>, kBits>(b, 0);
}

constexpr Needs kVideo{30, 50};

#define TILESCOPE_LIMITED ".[u32 s32].[u32 s32].[u32 s32]{.sat}"
#define TILESCOPE_ADDED ".[u32 s32].[u32 s32].[u32 s32].add"
#define TILESCOPE_ROW(operands_of, bound, work) \
    .operands = operands_of, .effect = effect::of_parts(work), .bind = bound, .needs = kVideo
#define TILESCOPE_HALVES(bound, ...) \
    TILESCOPE_ROW("=b32.half_mask b32.halves b32.halves b32.register", bound, (PartsWork{__VA_ARGS__}))
#define TILESCOPE_BYTES(bound, ...) \
    TILESCOPE_ROW("=b32.byte_mask b32.bytes b32.bytes b32.register", bound, (PartsWork{__VA_ARGS__}))

constexpr Row kVideoPackedRows[] = {
    {.syntax = "vadd2" TILESCOPE_LIMITED, TILESCOPE_HALVES((&bind_arithmetic<Sum, 16>), 10, 5, 4)},
    {.syntax = "vadd2" TILESCOPE_ADDED, TILESCOPE_HALVES((&bind_arithmetic<Sum, 16>), 10, 5)},
    {.syntax = "vadd4" TILESCOPE_LIMITED, TILESCOPE_BYTES((&bind_arithmetic<Sum, 8>), 21, 10, 5)},
    {.syntax = "vadd4" TILESCOPE_ADDED, TILESCOPE_BYTES((&bind_arithmetic<Sum, 8>), 21, 10, 4)},
    {.syntax = "vsub2" TILESCOPE_LIMITED, TILESCOPE_HALVES((&bind_arithmetic<Difference, 16>), 10, 5, 4)},
    {.syntax = "vsub2" TILESCOPE_ADDED, TILESCOPE_HALVES((&bind_arithmetic<Difference, 16>), 10, 5)},
    {.syntax = "vsub4" TILESCOPE_LIMITED, TILESCOPE_BYTES((&bind_arithmetic<Difference, 8>), 21, 10, 5)},
    {.syntax = "vsub4" TILESCOPE_ADDED, TILESCOPE_BYTES((&bind_arithmetic<Difference, 8>), 21, 10, 4)},
    {.syntax = "vavrg2" TILESCOPE_LIMITED, TILESCOPE_HALVES((&bind_arithmetic<Mean, 16>), 16, 5, 4)},
    {.syntax = "vavrg2" TILESCOPE_ADDED, TILESCOPE_HALVES((&bind_arithmetic<Mean, 16>), 16, 5)},
    {.syntax = "vavrg4" TILESCOPE_LIMITED, TILESCOPE_BYTES((&bind_arithmetic<Mean, 8>), 33, 10)},
    {.syntax = "vavrg4" TILESCOPE_ADDED, TILESCOPE_BYTES((&bind_arithmetic<Mean, 8>), 33, 10)},
    {.syntax = "vabsdiff2" TILESCOPE_LIMITED, TILESCOPE_HALVES((&bind_arithmetic<Distance, 16>), 14, 5)},
    {.syntax = "vabsdiff2" TILESCOPE_ADDED, TILESCOPE_HALVES((&bind_arithmetic<Distance, 16>), 14, 5)},
    {.syntax = "vabsdiff4" TILESCOPE_LIMITED, TILESCOPE_BYTES((&bind_arithmetic<Distance, 8>), 27, 10, 1)},
    {.syntax = "vabsdiff4" TILESCOPE_ADDED, TILESCOPE_BYTES((&bind_arithmetic<Distance, 8>), 27, 10, 1)},
    {.syntax = "vmin2" TILESCOPE_LIMITED, TILESCOPE_HALVES((&bind_arithmetic<Lesser, 16>), 11, 5, 7)},
    {.syntax = "vmin2" TILESCOPE_ADDED, TILESCOPE_HALVES((&bind_arithmetic<Lesser, 16>), 11, 5)},
    {.syntax = "vmin4" TILESCOPE_LIMITED, TILESCOPE_BYTES((&bind_arithmetic<Lesser, 8>), 21, 10)},
    {.syntax = "vmin4" TILESCOPE_ADDED, TILESCOPE_BYTES((&bind_arithmetic<Lesser, 8>), 21, 10)},
    {.syntax = "vmax2" TILESCOPE_LIMITED, TILESCOPE_HALVES((&bind_arithmetic<Greater, 16>), 11, 5, 7)},
    {.syntax = "vmax2" TILESCOPE_ADDED, TILESCOPE_HALVES((&bind_arithmetic<Greater, 16>), 11, 5)},
    {.syntax = "vmax4" TILESCOPE_LIMITED, TILESCOPE_BYTES((&bind_arithmetic<Greater, 8>), 21, 10)},
    {.syntax = "vmax4" TILESCOPE_ADDED, TILESCOPE_BYTES((&bind_arithmetic<Greater, 8>), 21, 10)},
    {.syntax = "vset2.[u32 s32].[u32 s32].[eq ne lt le gt ge]{.add}", TILESCOPE_HALVES(&bind_compare<16>, 15)},
    {.syntax = "vset4.[u32 s32].[u32 s32].[eq ne lt le gt ge]{.add}", TILESCOPE_BYTES(&bind_compare<8>, 30)},
};

}  // namespace

const Family& video_packed_family() {
    static constexpr Family kFamily{"video_packed",
                                    "two halves or four bytes of each source, placed in c or added to it",
                                    kVideoPackedRows, std::size(kVideoPackedRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
