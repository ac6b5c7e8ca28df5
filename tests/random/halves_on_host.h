// What CUDA's functions of half precision mean, for the host: every value is an integer times a power of two, results
// are worked out exactly in 128-bit integers and rounded once. No floating point, nothing of what CUDA's headers
// compute.
//
// Guarantees: exact for all bits; every NaN is 0x7fff. A part that lies more than kApart bits below another only says
// on which side of it the exact value is, which is all that a rounding to 24 bits or fewer asks.
#pragma once

#include <cuda_fp16.h>
#if defined(RANDOM_BFLOAT16)
#include <cuda_bf16.h>
#endif

#include <cstring>
#include <limits>
#include <utility>

namespace reference {

enum class Round { kNearest, kZero, kUp, kDown };

// (-1)^negative * size * 2^exponent.
struct Exact {
    bool nan = false, infinite = false, negative = false;
    unsigned __int128 size = 0;
    int exponent = 0;
    bool zero() const { return !nan && !infinite && size == 0; }
};

// `digits` with the leading one, exponents of the last digit of the least and of the greatest numbers.
struct Binary {
    int digits, least, greatest;
};
template <class T>
struct FormatOf;
template <>
struct FormatOf<float> {
    static constexpr Binary binary() { return {24, -149, 104}; }
};
template <>
struct FormatOf<double> {
    static constexpr Binary binary() { return {53, -1074, 971}; }
};
template <>
struct FormatOf<__half> {
    static constexpr Binary binary() { return {11, -24, 5}; }
};
template <>
struct FormatOf<__half2> {
    using One = __half;
};
#if defined(RANDOM_BFLOAT16)
template <>
struct FormatOf<__nv_bfloat16> {
    static constexpr Binary binary() { return {8, -133, 120}; }
};
template <>
struct FormatOf<__nv_bfloat162> {
    using One = __nv_bfloat16;
};
#endif

inline Exact decoded(unsigned long long bits, int width, Binary format) {
    const unsigned long long one = 1, leading = one << (format.digits - 1);
    const unsigned long long fraction = bits & (leading - 1), last = (one << (width - format.digits)) - 1;
    const unsigned long long field = bits >> (format.digits - 1) & last;
    Exact x;
    x.negative = (bits >> (width - 1) & 1) != 0;
    x.nan = field == last && fraction != 0;
    x.infinite = field == last && fraction == 0;
    x.size = field == 0 ? fraction : fraction | leading;
    x.exponent = format.least + (field == 0 ? 0 : static_cast<int>(field) - 1);
    return x;
}
inline int digits_of(unsigned __int128 size) {
    int count = 0;
    for (; size != 0; size >>= 1) ++count;
    return count;
}
inline unsigned long long encoded(const Exact& x, int width, Binary format, Round direction) {
    const unsigned long long one = 1, sign = x.negative ? one << (width - 1) : 0;
    const unsigned long long infinity = ((one << (width - format.digits)) - 1) << (format.digits - 1);
    if (x.nan) return (one << (width - 1)) - 1;
    if (x.infinite) return sign | infinity;
    if (x.size == 0) return sign;
    int last = x.exponent + digits_of(x.size) - format.digits;  // the exponent of the last digit that stays
    if (last < format.least) last = format.least;
    const int dropped = last - x.exponent;
    unsigned long long kept = 0;
    int rest = 0;  // what was dropped: -1 less than half of the last digit, 0 just that, 1 more; -2 nothing
    if (dropped <= 0) {
        kept = static_cast<unsigned long long>(x.size << -dropped);
        rest = -2;
    } else if (dropped > 127) {
        rest = -1;
    } else {
        const unsigned __int128 unit = static_cast<unsigned __int128>(1) << dropped, part = x.size & (unit - 1);
        kept = static_cast<unsigned long long>(x.size >> dropped);
        rest = part == 0 ? -2 : part < unit / 2 ? -1 : part == unit / 2 ? 0 : 1;
    }
    const bool outward = direction == Round::kUp ? !x.negative : direction == Round::kDown && x.negative;
    const bool nearest = direction == Round::kNearest && (rest == 1 || (rest == 0 && kept % 2 != 0));
    if (rest != -2 && (outward || nearest)) ++kept;
    if (kept == one << format.digits) {
        kept /= 2;
        ++last;
    }
    if (last > format.greatest) return sign | (outward || direction == Round::kNearest ? infinity : infinity - 1);
    const unsigned long long leading = one << (format.digits - 1);
    if (kept < leading) return sign | kept;
    return sign | (static_cast<unsigned long long>(last - format.least + 1) << (format.digits - 1)) | (kept - leading);
}

template <class T>
Exact exact(T x) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    return decoded(bits, 8 * sizeof x, FormatOf<T>::binary());
}
inline Exact exact(long long x) {
    Exact result;
    result.negative = x < 0;
    result.size = x < 0 ? 0 - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x);
    return result;
}
inline Exact exact(unsigned long long x) {
    Exact result;
    result.size = x;
    return result;
}
inline Exact exact(int x) { return exact(static_cast<long long>(x)); }
inline Exact exact(unsigned x) { return exact(static_cast<unsigned long long>(x)); }
inline Exact exact(short x) { return exact(static_cast<long long>(x)); }
inline Exact exact(unsigned short x) { return exact(static_cast<unsigned long long>(x)); }

template <class T>
T nearest_to(const Exact& x, Round direction = Round::kNearest) {
    const unsigned long long bits = encoded(x, 8 * sizeof(T), FormatOf<T>::binary(), direction);
    T result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}

inline Exact negated(Exact x) {
    x.negative = !x.negative;
    return x;
}
inline Exact product(const Exact& x, const Exact& y) {
    Exact result;
    result.negative = x.negative != y.negative;
    result.nan = x.nan || y.nan || (x.infinite && y.zero()) || (y.infinite && x.zero());
    result.infinite = x.infinite || y.infinite;
    result.size = x.size * y.size;  // 11 digits each at most
    result.exponent = x.exponent + y.exponent;
    return result;
}
inline Exact sum(Exact x, Exact y) {
    constexpr int kApart = 100;
    Exact result;
    result.nan = x.nan || y.nan || (x.infinite && y.infinite && x.negative != y.negative);
    if (result.nan) return result;
    if (x.infinite || y.infinite) return x.infinite ? x : y;
    if (x.size == 0 || y.size == 0) {
        result = x.size == 0 ? y : x;
        result.negative = result.size == 0 ? x.negative && y.negative : result.negative;
        return result;
    }
    if (x.exponent < y.exponent) std::swap(x, y);
    if (x.exponent - y.exponent > kApart) {
        y.size = 1;
        y.exponent = x.exponent - kApart;
    }
    const __int128 left = static_cast<__int128>(x.size << (x.exponent - y.exponent)),
                   right = static_cast<__int128>(y.size);
    const __int128 total = (x.negative ? -left : left) + (y.negative ? -right : right);
    result.negative = total < 0;
    result.size = static_cast<unsigned __int128>(total < 0 ? -total : total);
    result.exponent = y.exponent;
    return result;
}
// -1, 0 or 1; 2 where a NaN is compared.
inline int compared(const Exact& x, const Exact& y) {
    if (x.nan || y.nan) return 2;
    if (x.infinite && y.infinite && x.negative == y.negative) return 0;
    const Exact apart = sum(x, negated(y));
    return apart.zero() ? 0 : apart.negative ? -1 : 1;
}
// To a multiple of 1.
inline Exact whole(const Exact& x, Round direction) {
    if (x.nan || x.infinite || x.exponent >= 0) return x;
    const int dropped = -x.exponent;
    Exact result = x;
    result.exponent = 0;
    const unsigned __int128 unit = static_cast<unsigned __int128>(1) << (dropped < 127 ? dropped : 127);
    const unsigned __int128 part = dropped < 127 ? x.size & (unit - 1) : x.size;
    result.size = dropped < 127 ? x.size >> dropped : 0;
    const bool up = direction == Round::kUp ? !x.negative : direction == Round::kDown && x.negative;
    const bool nearest =
        direction == Round::kNearest && (part > unit / 2 || (part == unit / 2 && result.size % 2 != 0));
    if (part != 0 && (up || nearest)) result.size += 1;
    return result;
}
// As cvt does it: brought into range, a NaN is 0 but the sign bit alone in 64 bits.
template <class To>
To integer_from(const Exact& x, Round direction) {
    using Limits = std::numeric_limits<To>;
    if (x.nan) return sizeof(To) == 8 ? static_cast<To>(1ull << 63) : To{0};
    const Exact rounded = whole(x, direction);
    const bool large = rounded.infinite || rounded.exponent + digits_of(rounded.size) > 64;
    if (rounded.negative) {
        if (large || compared(rounded, exact(static_cast<long long>(Limits::min()))) < 0) return Limits::min();
        return static_cast<To>(-static_cast<__int128>(rounded.size << rounded.exponent));
    }
    if (large || rounded.size << rounded.exponent > static_cast<unsigned __int128>(Limits::max())) return Limits::max();
    return static_cast<To>(rounded.size << rounded.exponent);
}

// ---- of one value ---------------------------------------------------------------------------------------------------
enum class Clamp { kNone, kSat, kRelu };

template <class H>
H clamped(const Exact& x, Clamp clamp) {
    const H result = nearest_to<H>(x);
    const Exact rounded = exact(result);
    if (clamp == Clamp::kSat) {
        if (rounded.nan || rounded.negative || rounded.size == 0) return nearest_to<H>(Exact{});
        return compared(rounded, exact(1)) > 0 ? nearest_to<H>(exact(1)) : result;
    }
    if (clamp == Clamp::kRelu && !rounded.nan && rounded.negative) return nearest_to<H>(Exact{});
    return result;
}
// +0 is more than -0. A NaN gives way to a number, or is all that comes.
template <class H>
H extreme(H a, H b, bool greater, bool keeps_nan) {
    const Exact x = exact(a), y = exact(b);
    if (x.nan || y.nan) return keeps_nan || (x.nan && y.nan) ? nearest_to<H>(x.nan ? x : y) : x.nan ? b : a;
    const int order =
        x.zero() && y.zero() ? static_cast<int>(y.negative) - static_cast<int>(x.negative) : compared(x, y);
    return (order > 0) == greater ? a : b;
}
// A comparison by name: `unordered` is what it says where a NaN is compared.
enum class Compare { kEq, kNe, kLe, kGe, kLt, kGt };
template <class H>
bool compare(Compare how, bool unordered, H a, H b) {
    const int order = compared(exact(a), exact(b));
    if (order == 2) return unordered;
    switch (how) {
        case Compare::kEq: return order == 0;
        case Compare::kNe: return order != 0;
        case Compare::kLe: return order <= 0;
        case Compare::kGe: return order >= 0;
        case Compare::kLt: return order < 0;
        default: return order > 0;
    }
}

// ---- of two at once -------------------------------------------------------------------------------------------------
template <class P>
P pair_of(typename FormatOf<P>::One low, typename FormatOf<P>::One high) {
    P result;
    result.x = low;
    result.y = high;
    return result;
}

#define REFERENCE_OF_ONE(H, P, name, name2, expression) \
    inline H name(H a) { return expression; }           \
    inline P name2(P a) { return pair_of<P>(reference::name(a.x), reference::name(a.y)); }
#define REFERENCE_OF_TWO(H, P, name, name2, expression) \
    inline H name(H a, H b) { return expression; }      \
    inline P name2(P a, P b) { return pair_of<P>(reference::name(a.x, b.x), reference::name(a.y, b.y)); }
#define REFERENCE_OF_THREE(H, P, name, name2, expression) \
    inline H name(H a, H b, H c) { return expression; }   \
    inline P name2(P a, P b, P c) { return pair_of<P>(reference::name(a.x, b.x, c.x), reference::name(a.y, b.y, c.y)); }

#define REFERENCE_COMPARISON(H, P, ending, how, unordered)                                     \
    inline bool h##ending(H a, H b) { return compare(Compare::how, unordered, a, b); }         \
    inline bool hb##ending##2(P a, P b) { return h##ending(a.x, b.x) && h##ending(a.y, b.y); } \
    inline P h##ending##2(P a, P b) {                                                          \
        return pair_of<P>(nearest_to<H>(exact(h##ending(a.x, b.x) ? 1 : 0)),                   \
                          nearest_to<H>(exact(h##ending(a.y, b.y) ? 1 : 0)));                  \
    }                                                                                          \
    inline unsigned h##ending##2_mask(P a, P b) {                                              \
        return (h##ending(a.x, b.x) ? 0xffffu : 0) | (h##ending(a.y, b.y) ? 0xffff0000u : 0);  \
    }
#define REFERENCE_HALF_WORD(H, one, To, word)                                                \
    inline To one##2##word##_rn(H x) { return integer_from<To>(exact(x), Round::kNearest); } \
    inline To one##2##word##_rz(H x) { return integer_from<To>(exact(x), Round::kZero); }    \
    inline To one##2##word##_ru(H x) { return integer_from<To>(exact(x), Round::kUp); }      \
    inline To one##2##word##_rd(H x) { return integer_from<To>(exact(x), Round::kDown); }
#define REFERENCE_WORD_HALF(H, one, From, word)                                             \
    inline H word##2##one##_rn(From x) { return nearest_to<H>(exact(x), Round::kNearest); } \
    inline H word##2##one##_rz(From x) { return nearest_to<H>(exact(x), Round::kZero); }    \
    inline H word##2##one##_ru(From x) { return nearest_to<H>(exact(x), Round::kUp); }      \
    inline H word##2##one##_rd(From x) { return nearest_to<H>(exact(x), Round::kDown); }
#define REFERENCE_HALF_WORDS(H, one)                     \
    REFERENCE_HALF_WORD(H, one, short, short)            \
    REFERENCE_HALF_WORD(H, one, unsigned short, ushort)  \
    REFERENCE_HALF_WORD(H, one, int, int)                \
    REFERENCE_HALF_WORD(H, one, unsigned, uint)          \
    REFERENCE_HALF_WORD(H, one, long long, ll)           \
    REFERENCE_HALF_WORD(H, one, unsigned long long, ull) \
    REFERENCE_HALF_WORD(H, one, signed char, char)       \
    REFERENCE_HALF_WORD(H, one, unsigned char, uchar)    \
    REFERENCE_WORD_HALF(H, one, short, short)            \
    REFERENCE_WORD_HALF(H, one, unsigned short, ushort)  \
    REFERENCE_WORD_HALF(H, one, int, int)                \
    REFERENCE_WORD_HALF(H, one, unsigned, uint)          \
    REFERENCE_WORD_HALF(H, one, long long, ll)           \
    REFERENCE_WORD_HALF(H, one, unsigned long long, ull) \
    REFERENCE_WORD_HALF(H, one, float, float)

#define REFERENCE_HALVES(H, P, one, two)                                                                               \
    inline H ushort_as_##one(unsigned short bits) { return same_bits<H>(bits); }                                       \
    inline float one##2float(H x) { return nearest_to<float>(exact(x)); }                                              \
    inline H double2##one(double x) { return nearest_to<H>(exact(x)); }                                                \
    inline P halves2##two(H low, H high) { return pair_of<P>(low, high); }                                             \
    inline P one##2##two(H x) { return pair_of<P>(x, x); }                                                             \
    inline H low2##one(P x) { return x.x; }                                                                            \
    inline H high2##one(P x) { return x.y; }                                                                           \
    inline float low2float(P x) { return one##2float(x.x); }                                                           \
    inline float high2float(P x) { return one##2float(x.y); }                                                          \
    inline P lows2##two(P x, P y) { return pair_of<P>(x.x, y.x); }                                                     \
    inline P highs2##two(P x, P y) { return pair_of<P>(x.y, y.y); }                                                    \
    inline P lowhigh2highlow(P x) { return pair_of<P>(x.y, x.x); }                                                     \
    REFERENCE_HALF_WORDS(H, one)                                                                                       \
    inline P float2##two##_rn(float x) { return one##2##two(float2##one##_rn(x)); }                                    \
    inline P floats2##two##_rn(float x, float y) { return pair_of<P>(float2##one##_rn(x), float2##one##_rn(y)); }      \
    REFERENCE_OF_ONE(H, P, hneg, hneg2, nearest_to<H>(negated(exact(a))))                                              \
    inline H habs(H a) { return exact(a).negative ? hneg(a) : a; }                                                     \
    inline P habs2(P a) { return pair_of<P>(habs(a.x), habs(a.y)); }                                                   \
    REFERENCE_OF_ONE(H, P, htrunc, h2trunc, nearest_to<H>(whole(exact(a), Round::kZero)))                              \
    REFERENCE_OF_ONE(H, P, hceil, h2ceil, nearest_to<H>(whole(exact(a), Round::kUp)))                                  \
    REFERENCE_OF_ONE(H, P, hfloor, h2floor, nearest_to<H>(whole(exact(a), Round::kDown)))                              \
    REFERENCE_OF_ONE(H, P, hrint, h2rint, nearest_to<H>(whole(exact(a), Round::kNearest)))                             \
    REFERENCE_OF_TWO(H, P, hadd, hadd2, nearest_to<H>(sum(exact(a), exact(b))))                                        \
    REFERENCE_OF_TWO(H, P, hsub, hsub2, nearest_to<H>(sum(exact(a), negated(exact(b)))))                               \
    REFERENCE_OF_TWO(H, P, hadd_rn, hadd2_rn, hadd(a, b))                                                              \
    REFERENCE_OF_TWO(H, P, hsub_rn, hsub2_rn, hsub(a, b))                                                              \
    REFERENCE_OF_TWO(H, P, hmul_rn, hmul2_rn, nearest_to<H>(product(exact(a), exact(b))))                              \
    REFERENCE_OF_TWO(H, P, hadd_sat, hadd2_sat, clamped<H>(sum(exact(a), exact(b)), Clamp::kSat))                      \
    REFERENCE_OF_TWO(H, P, hsub_sat, hsub2_sat, clamped<H>(sum(exact(a), negated(exact(b))), Clamp::kSat))             \
    REFERENCE_OF_TWO(H, P, hmul_sat, hmul2_sat, clamped<H>(product(exact(a), exact(b)), Clamp::kSat))                  \
    REFERENCE_OF_TWO(H, P, hmin, hmin2, extreme(a, b, false, false))                                                   \
    REFERENCE_OF_TWO(H, P, hmax, hmax2, extreme(a, b, true, false))                                                    \
    REFERENCE_OF_TWO(H, P, hmin_nan, hmin2_nan, extreme(a, b, false, true))                                            \
    REFERENCE_OF_TWO(H, P, hmax_nan, hmax2_nan, extreme(a, b, true, true))                                             \
    REFERENCE_OF_THREE(H, P, hfma, hfma2, nearest_to<H>(sum(product(exact(a), exact(b)), exact(c))))                   \
    REFERENCE_OF_THREE(H, P, hfma_sat, hfma2_sat, clamped<H>(sum(product(exact(a), exact(b)), exact(c)), Clamp::kSat)) \
    REFERENCE_OF_THREE(H, P, hfma_relu, hfma2_relu,                                                                    \
                       clamped<H>(sum(product(exact(a), exact(b)), exact(c)), Clamp::kRelu))                           \
    REFERENCE_COMPARISON(H, P, eq, kEq, false)                                                                         \
    REFERENCE_COMPARISON(H, P, ne, kNe, false)                                                                         \
    REFERENCE_COMPARISON(H, P, le, kLe, false)                                                                         \
    REFERENCE_COMPARISON(H, P, ge, kGe, false)                                                                         \
    REFERENCE_COMPARISON(H, P, lt, kLt, false)                                                                         \
    REFERENCE_COMPARISON(H, P, gt, kGt, false)                                                                         \
    REFERENCE_COMPARISON(H, P, equ, kEq, true)                                                                         \
    REFERENCE_COMPARISON(H, P, neu, kNe, true)                                                                         \
    REFERENCE_COMPARISON(H, P, leu, kLe, true)                                                                         \
    REFERENCE_COMPARISON(H, P, geu, kGe, true)                                                                         \
    REFERENCE_COMPARISON(H, P, ltu, kLt, true)                                                                         \
    REFERENCE_COMPARISON(H, P, gtu, kGt, true)                                                                         \
    inline bool hisnan(H a) { return exact(a).nan; }                                                                   \
    inline int hisinf(H a) { return exact(a).infinite ? (exact(a).negative ? -1 : 1) : 0; }                            \
    inline P hisnan2(P a) {                                                                                            \
        return pair_of<P>(nearest_to<H>(exact(hisnan(a.x) ? 1 : 0)), nearest_to<H>(exact(hisnan(a.y) ? 1 : 0)));       \
    }

REFERENCE_HALVES(__half, __half2, half, half2)
#if defined(RANDOM_BFLOAT16)
REFERENCE_HALVES(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
#endif
#undef REFERENCE_HALVES
#undef REFERENCE_HALF_WORDS
#undef REFERENCE_HALF_WORD
#undef REFERENCE_WORD_HALF
#undef REFERENCE_COMPARISON
#undef REFERENCE_OF_ONE
#undef REFERENCE_OF_TWO
#undef REFERENCE_OF_THREE

}  // namespace reference
