// Device library: arithmetic on the halfwords or the bytes of a 32-bit word.
#include "scope/isa/library/device_functions.h"

namespace tilescope::isa::device {
namespace {

// One element of each operand, extended, into one element (or, summed, into the result).
using ElementFunction = S64 (*)(S64 a, S64 b);

template <unsigned Width>
S64 part(U32 word, unsigned at, bool is_signed) {
    const U32 bits = word >> at & ((1u << Width) - 1);
    const bool negative = is_signed && bits >> (Width - 1);
    return static_cast<S64>(bits) - (negative ? S64{1} << Width : 0);
}

template <unsigned Width, bool Signed, ElementFunction kElement>
U32 each(U32 a, U32 b) {
    U32 r = 0;
    for (unsigned at = 0; at < 32; at += Width) {
        const S64 v = kElement(part<Width>(a, at, Signed), part<Width>(b, at, Signed));
        r |= (static_cast<U32>(v) & ((1u << Width) - 1)) << at;
    }
    return r;
}
// Limited to the element's range.
template <unsigned Width, bool Signed, ElementFunction kElement>
U32 each_limited(U32 a, U32 b) {
    constexpr S64 kLow = Signed ? -(S64{1} << (Width - 1)) : 0;
    constexpr S64 kHigh = (S64{1} << (Signed ? Width - 1 : Width)) - 1;
    U32 r = 0;
    for (unsigned at = 0; at < 32; at += Width) {
        S64 v = kElement(part<Width>(a, at, Signed), part<Width>(b, at, Signed));
        v = v < kLow ? kLow : v > kHigh ? kHigh : v;
        r |= (static_cast<U32>(v) & ((1u << Width) - 1)) << at;
    }
    return r;
}
template <unsigned Width, bool Signed, ElementFunction kElement>
U32 summed(U32 a, U32 b) {
    U32 r = 0;
    for (unsigned at = 0; at < 32; at += Width)
        r += static_cast<U32>(kElement(part<Width>(a, at, Signed), part<Width>(b, at, Signed)));
    return r;
}

S64 add(S64 a, S64 b) { return a + b; }
S64 sub(S64 a, S64 b) { return a - b; }
S64 larger_element(S64 a, S64 b) { return a > b ? a : b; }
S64 smaller_element(S64 a, S64 b) { return a < b ? a : b; }
S64 absolute_difference(S64 a, S64 b) { return a > b ? a - b : b - a; }
S64 mean_down(S64 a, S64 b) { return (a + b) >> 1; }
S64 mean_away(S64 a, S64 b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }  // halves away from zero
S64 size(S64 a, S64) { return a < 0 ? -a : a; }
S64 minus(S64 a, S64) { return -a; }

// Comparisons: 1 where true (vset), or all ones (vcmp).
template <bool AllOnes>
struct Compare {
    static S64 truth(bool holds) { return holds ? (AllOnes ? -1 : 1) : 0; }
    static S64 eq(S64 a, S64 b) { return truth(a == b); }
    static S64 ne(S64 a, S64 b) { return truth(a != b); }
    static S64 lt(S64 a, S64 b) { return truth(a < b); }
    static S64 le(S64 a, S64 b) { return truth(a <= b); }
    static S64 gt(S64 a, S64 b) { return truth(a > b); }
    static S64 ge(S64 a, S64 b) { return truth(a >= b); }
};

template <auto kFunction>
U32 alone(U32 a) {
    return kFunction(a, 0);
}

#define TILESCOPE_PAIR(name, shape, is_signed, element)                                \
    add_row<&shape<16, is_signed, element>>(rows, "__nv_" #name "2", Class::kInteger); \
    add_row<&shape<8, is_signed, element>>(rows, "__nv_" #name "4", Class::kInteger)
#define TILESCOPE_ALONE(name, shape, element)                                             \
    add_row<&alone<&shape<16, true, element>>>(rows, "__nv_" #name "2", Class::kInteger); \
    add_row<&alone<&shape<8, true, element>>>(rows, "__nv_" #name "4", Class::kInteger)

void add_simd_arithmetic(std::vector<Row>& rows) {
    TILESCOPE_PAIR(vadd, each, false, add);
    TILESCOPE_PAIR(vaddss, each_limited, true, add);
    TILESCOPE_PAIR(vaddus, each_limited, false, add);
    TILESCOPE_PAIR(vsub, each, false, sub);
    TILESCOPE_PAIR(vsubss, each_limited, true, sub);
    TILESCOPE_PAIR(vsubus, each_limited, false, sub);
    TILESCOPE_PAIR(vavgs, each, true, mean_away);
    TILESCOPE_PAIR(vavgu, each, false, mean_away);
    TILESCOPE_PAIR(vhaddu, each, false, mean_down);
    TILESCOPE_PAIR(vmaxs, each, true, larger_element);
    TILESCOPE_PAIR(vmaxu, each, false, larger_element);
    TILESCOPE_PAIR(vmins, each, true, smaller_element);
    TILESCOPE_PAIR(vminu, each, false, smaller_element);
    TILESCOPE_PAIR(vabsdiffs, each, true, absolute_difference);
    TILESCOPE_PAIR(vabsdiffu, each, false, absolute_difference);
    TILESCOPE_PAIR(vsads, summed, true, absolute_difference);
    TILESCOPE_PAIR(vsadu, summed, false, absolute_difference);
    TILESCOPE_ALONE(vabs, each, size);
    TILESCOPE_ALONE(vabsss, each_limited, size);
    TILESCOPE_ALONE(vneg, each, minus);
    TILESCOPE_ALONE(vnegss, each_limited, minus);
}

#define TILESCOPE_COMPARISONS(prefix, all_ones)                      \
    TILESCOPE_PAIR(prefix##eq, each, false, Compare<all_ones>::eq);  \
    TILESCOPE_PAIR(prefix##ne, each, false, Compare<all_ones>::ne);  \
    TILESCOPE_PAIR(prefix##lts, each, true, Compare<all_ones>::lt);  \
    TILESCOPE_PAIR(prefix##ltu, each, false, Compare<all_ones>::lt); \
    TILESCOPE_PAIR(prefix##les, each, true, Compare<all_ones>::le);  \
    TILESCOPE_PAIR(prefix##leu, each, false, Compare<all_ones>::le); \
    TILESCOPE_PAIR(prefix##gts, each, true, Compare<all_ones>::gt);  \
    TILESCOPE_PAIR(prefix##gtu, each, false, Compare<all_ones>::gt); \
    TILESCOPE_PAIR(prefix##ges, each, true, Compare<all_ones>::ge);  \
    TILESCOPE_PAIR(prefix##geu, each, false, Compare<all_ones>::ge)

}  // namespace

void add_simd(std::vector<Row>& rows) {
    add_simd_arithmetic(rows);
    TILESCOPE_COMPARISONS(vcmp, true);
    TILESCOPE_COMPARISONS(vset, false);
}

}  // namespace tilescope::isa::device
