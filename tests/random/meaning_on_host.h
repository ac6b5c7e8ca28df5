// What CUDA's built-in functions mean, written down for the host: bits, conversions, roundings, what lanes ask of each
// other, atomics. Plain loops and exact arithmetic; nothing here is shared with tilescope or with CUDA's own headers.
//
// The names are CUDA's without the leading underscores.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

#include "threads_on_host.h"

namespace reference {

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

// ---- bits -----------------------------------------------------------------------------------------------------------
inline int popcll(u64 x) {
    int count = 0;
    for (; x != 0; x >>= 1) count += x & 1;
    return count;
}
inline int popc(u32 x) { return popcll(x); }
inline int clzll(i64 x) {
    int zeros = 0;
    for (int bit = 63; bit >= 0 && (static_cast<u64>(x) >> bit & 1) == 0; --bit) ++zeros;
    return zeros;
}
inline int clz(int x) { return clzll(static_cast<u32>(x)) - 32; }
inline int ffsll(i64 x) {
    for (int bit = 0; bit < 64; ++bit)
        if ((static_cast<u64>(x) >> bit & 1) != 0) return bit + 1;
    return 0;
}
inline int ffs(int x) { return ffsll(static_cast<u32>(x)); }
inline u64 brevll(u64 x) {
    u64 turned = 0;
    for (int bit = 0; bit < 64; ++bit) turned |= (x >> bit & 1) << (63 - bit);
    return turned;
}
inline u32 brev(u32 x) { return static_cast<u32>(brevll(x) >> 32); }
inline u32 byte_perm(u32 low, u32 high, u32 selector) {
    const u64 bytes = static_cast<u64>(high) << 32 | low;
    u32 chosen = 0;
    for (int i = 0; i < 4; ++i) {
        const u32 place = selector >> (4 * i) & 7;
        chosen |= static_cast<u32>(bytes >> (8 * place) & 255) << (8 * i);
    }
    return chosen;
}
inline u32 funnelshift_l(u32 low, u32 high, u32 shift) {
    const u64 both = static_cast<u64>(high) << 32 | low;
    return static_cast<u32>((both << (shift & 31)) >> 32);
}
inline u32 funnelshift_r(u32 low, u32 high, u32 shift) {
    const u64 both = static_cast<u64>(high) << 32 | low;
    return static_cast<u32>(both >> (shift & 31));
}
inline u32 funnelshift_lc(u32 low, u32 high, u32 shift) { return shift >= 32 ? low : funnelshift_l(low, high, shift); }
inline u32 funnelshift_rc(u32 low, u32 high, u32 shift) { return shift >= 32 ? high : funnelshift_r(low, high, shift); }
inline int mulhi(int x, int y) { return static_cast<int>((static_cast<i64>(x) * y) >> 32); }
inline u32 umulhi(u32 x, u32 y) { return static_cast<u32>((static_cast<u64>(x) * y) >> 32); }
inline u64 umul64hi(u64 x, u64 y) { return static_cast<u64>((static_cast<unsigned __int128>(x) * y) >> 64); }
inline i64 mul64hi(i64 x, i64 y) { return static_cast<i64>((static_cast<__int128>(x) * y) >> 64); }
inline int mul24(int x, int y) {
    const auto low = [](int v) { return (v & 0xffffff) - ((v & 0x800000) != 0 ? 0x1000000 : 0); };
    return static_cast<int>(static_cast<i64>(low(x)) * low(y));
}
inline u32 umul24(u32 x, u32 y) { return static_cast<u32>(static_cast<u64>(x & 0xffffff) * (y & 0xffffff)); }
inline u32 usad(u32 x, u32 y, u32 sum) { return (x > y ? x - y : y - x) + sum; }
inline u32 sad(int x, int y, u32 sum) {
    const i64 apart = static_cast<i64>(x) - y;
    return static_cast<u32>(apart < 0 ? -apart : apart) + sum;
}
inline int hadd(int x, int y) { return static_cast<int>((static_cast<i64>(x) + y) >> 1); }
inline int rhadd(int x, int y) { return static_cast<int>((static_cast<i64>(x) + y + 1) >> 1); }
inline u32 uhadd(u32 x, u32 y) { return static_cast<u32>((static_cast<u64>(x) + y) >> 1); }
inline u32 urhadd(u32 x, u32 y) { return static_cast<u32>((static_cast<u64>(x) + y + 1) >> 1); }
inline int dp4a(int x, int y, int sum) {
    u32 total = static_cast<u32>(sum);
    for (int i = 0; i < 4; ++i)
        total += static_cast<u32>(static_cast<signed char>(static_cast<u32>(x) >> (8 * i)) *
                                  static_cast<signed char>(static_cast<u32>(y) >> (8 * i)));
    return static_cast<int>(total);
}
inline u32 dp4a(u32 x, u32 y, u32 sum) {
    for (int i = 0; i < 4; ++i) sum += (x >> (8 * i) & 255) * (y >> (8 * i) & 255);
    return sum;
}

// ---- floating point -------------------------------------------------------------------------------------------------
// One operation in a direction of rounding; volatile keeps the compiler from working it out in another, and its
// operands, which are stored before the direction changes, from being worked out in this one.
template <class T, class Operation>
T rounded(int direction, T x, T y, Operation operation) {
    volatile T a = x, b = y;
    const int before = std::fegetround();
    std::fesetround(direction);
    volatile T result = operation(a, b);
    std::fesetround(before);
    return result;
}
#define REFERENCE_ROUNDED(T, name, operation)                                        \
    inline T name##_rn(T x, T y) { return x operation y; }                           \
    inline T name##_rz(T x, T y) {                                                   \
        return rounded(FE_TOWARDZERO, x, y, [](T a, T b) { return a operation b; }); \
    }                                                                                \
    inline T name##_ru(T x, T y) {                                                   \
        return rounded(FE_UPWARD, x, y, [](T a, T b) { return a operation b; });     \
    }                                                                                \
    inline T name##_rd(T x, T y) {                                                   \
        return rounded(FE_DOWNWARD, x, y, [](T a, T b) { return a operation b; });   \
    }
REFERENCE_ROUNDED(float, fadd, +)
REFERENCE_ROUNDED(float, fsub, -)
REFERENCE_ROUNDED(float, fmul, *)
REFERENCE_ROUNDED(float, fdiv, /)
REFERENCE_ROUNDED(double, dadd, +)
REFERENCE_ROUNDED(double, dsub, -)
REFERENCE_ROUNDED(double, dmul, *)
REFERENCE_ROUNDED(double, ddiv, /)
#undef REFERENCE_ROUNDED
inline float fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
inline double fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
inline float saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }  // NaN becomes 0

// A floating-point number to an integer as cvt does it: rounded, then brought into range. NaN is 0, but the sign bit
// alone in 64 bits or from a double.
template <class To, class From>
To to_integer(From x, From whole) {
    using Limits = std::numeric_limits<To>;
    const bool wide = sizeof(To) == 8 || sizeof(From) == 8;
    if (x != x) return wide ? static_cast<To>(u64{1} << (8 * sizeof(To) - 1)) : To{0};
    const From past = std::ldexp(From{1}, Limits::digits);  // one more than the greatest
    if (whole >= past) return Limits::max();
    if (whole < (Limits::is_signed ? -past : From{0})) return Limits::min();
    return static_cast<To>(whole);
}
#define REFERENCE_CONVERSION(To, name, From)                                       \
    inline To name##_rz(From x) { return to_integer<To, From>(x, std::trunc(x)); } \
    inline To name##_rn(From x) { return to_integer<To, From>(x, std::rint(x)); }  \
    inline To name##_ru(From x) { return to_integer<To, From>(x, std::ceil(x)); }  \
    inline To name##_rd(From x) { return to_integer<To, From>(x, std::floor(x)); }
REFERENCE_CONVERSION(int, float2int, float)
REFERENCE_CONVERSION(u32, float2uint, float)
REFERENCE_CONVERSION(i64, float2ll, float)
REFERENCE_CONVERSION(u64, float2ull, float)
REFERENCE_CONVERSION(int, double2int, double)
REFERENCE_CONVERSION(u32, double2uint, double)
REFERENCE_CONVERSION(i64, double2ll, double)
REFERENCE_CONVERSION(u64, double2ull, double)
#undef REFERENCE_CONVERSION

template <class To, class From>
To converted(int direction, From x) {
    volatile From from = x;
    const int before = std::fegetround();
    std::fesetround(direction);
    volatile To to = static_cast<To>(from);
    std::fesetround(before);
    return to;
}
#define REFERENCE_TO_FLOAT(To, name, From)                                        \
    inline To name##_rn(From x) { return static_cast<To>(x); }                    \
    inline To name##_rz(From x) { return converted<To, From>(FE_TOWARDZERO, x); } \
    inline To name##_ru(From x) { return converted<To, From>(FE_UPWARD, x); }     \
    inline To name##_rd(From x) { return converted<To, From>(FE_DOWNWARD, x); }
REFERENCE_TO_FLOAT(float, int2float, int)
REFERENCE_TO_FLOAT(float, uint2float, u32)
REFERENCE_TO_FLOAT(float, ll2float, i64)
REFERENCE_TO_FLOAT(double, ll2double, i64)
REFERENCE_TO_FLOAT(float, double2float, double)
#undef REFERENCE_TO_FLOAT

template <class To, class From>
To same_bits(From x) {
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To to;
    std::memcpy(&to, &x, sizeof to);
    return to;
}
inline float uint_as_float(u32 x) { return same_bits<float>(x); }
inline double longlong_as_double(i64 x) { return same_bits<double>(x); }

// ---- what lanes ask of each other -----------------------------------------------------------------------------------
inline u32 lane() { return self().linear % 32; }
template <class T>
u64 packed(T value) {
    u64 bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T>
T unpacked(u64 bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
// From lane `from`, or the own value where that is outside of the segment.
template <class T>
T shuffled(u32 mask, T value, int from, bool inside) {
    const u64* all = gather(mask, packed(value));
    return inside ? unpacked<T>(all[from & 31]) : value;
}
template <class T>
T shfl_sync(u32 mask, T value, int source, int width = 32) {
    return shuffled(mask, value, static_cast<int>(lane() & ~(width - 1)) + (source & (width - 1)), true);
}
template <class T>
T shfl_up_sync(u32 mask, T value, u32 delta, int width = 32) {
    const int from = static_cast<int>(lane()) - static_cast<int>(delta);
    return shuffled(mask, value, from, from >= static_cast<int>(lane() & ~(width - 1)));
}
template <class T>
T shfl_down_sync(u32 mask, T value, u32 delta, int width = 32) {
    const int from = static_cast<int>(lane() + delta);
    return shuffled(mask, value, from, from <= static_cast<int>(lane() | (width - 1)));
}
template <class T>
T shfl_xor_sync(u32 mask, T value, int bits, int width = 32) {
    const int from = static_cast<int>(lane()) ^ bits;
    return shuffled(mask, value, from, from <= static_cast<int>(lane() | (width - 1)));
}
inline u32 ballot_sync(u32 mask, bool predicate) {
    const u64* all = gather(mask, predicate);
    u32 lanes = 0;
    for (int i = 0; i < 32; ++i) lanes |= (all[i] != 0 ? 1u : 0u) << i;
    return lanes;
}
inline int all_sync(u32 mask, bool predicate) { return ballot_sync(mask, predicate) == mask; }
inline int any_sync(u32 mask, bool predicate) { return ballot_sync(mask, predicate) != 0; }
inline void syncwarp(u32 mask) { gather(mask, 0); }
template <class T>
u32 match_any_sync(u32 mask, T value) {
    const u64* all = gather(mask, packed(value));
    u32 lanes = 0;
    for (int i = 0; i < 32; ++i)
        if ((mask >> i & 1) != 0 && all[i] == packed(value)) lanes |= 1u << i;
    return lanes;
}
template <class T>
u32 match_all_sync(u32 mask, T value, int* all_alike) {
    *all_alike = match_any_sync(mask, value) == mask;
    return *all_alike != 0 ? mask : 0;
}
template <class T, class Operation>
T reduced(u32 mask, T value, Operation operation) {
    const u64* all = gather(mask, packed(value));
    bool first = true;
    T result{};
    for (int i = 0; i < 32; ++i) {
        if ((mask >> i & 1) == 0) continue;
        result = first ? unpacked<T>(all[i]) : operation(result, unpacked<T>(all[i]));
        first = false;
    }
    return result;
}
template <class T>
T reduce_add_sync(u32 mask, T value) {
    return reduced(mask, value, [](T a, T b) { return static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b)); });
}
template <class T>
T reduce_min_sync(u32 mask, T value) {
    return reduced(mask, value, [](T a, T b) { return a < b ? a : b; });
}
template <class T>
T reduce_max_sync(u32 mask, T value) {
    return reduced(mask, value, [](T a, T b) { return a < b ? b : a; });
}
inline u32 reduce_and_sync(u32 mask, u32 value) {
    return reduced(mask, value, [](u32 a, u32 b) { return a & b; });
}
inline u32 reduce_or_sync(u32 mask, u32 value) {
    return reduced(mask, value, [](u32 a, u32 b) { return a | b; });
}
inline u32 reduce_xor_sync(u32 mask, u32 value) {
    return reduced(mask, value, [](u32 a, u32 b) { return a ^ b; });
}

// ---- barriers -------------------------------------------------------------------------------------------------------
inline void syncthreads() { barrier(0); }
inline int syncthreads_count(int predicate) { return barrier(predicate != 0), self().count; }
inline int syncthreads_and(int predicate) { return barrier(predicate != 0), self().count == self().live; }
inline int syncthreads_or(int predicate) { return barrier(predicate != 0), self().count != 0; }
inline void threadfence() {}
inline void threadfence_block() {}

// ---- atomics: one thread runs at a time -----------------------------------------------------------------------------
template <class T, class V>
T exchanged(T* place, V value) {
    const T before = *place;
    *place = static_cast<T>(value);
    return before;
}
template <class T>
T wrapping_sum(T a, T b) {
    return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
}
inline float wrapping_sum(float a, float b) { return a + b; }
inline double wrapping_sum(double a, double b) { return a + b; }
template <class T>
T atomicAdd(T* place, T value) {
    return exchanged(place, wrapping_sum(*place, value));
}
template <class T>
T atomicSub(T* place, T value) {
    return exchanged(place, static_cast<u64>(*place) - static_cast<u64>(value));
}
template <class T>
T atomicMin(T* place, T value) {
    return exchanged(place, value < *place ? value : *place);
}
template <class T>
T atomicMax(T* place, T value) {
    return exchanged(place, *place < value ? value : *place);
}
template <class T>
T atomicAnd(T* place, T value) {
    return exchanged(place, *place & value);
}
template <class T>
T atomicOr(T* place, T value) {
    return exchanged(place, *place | value);
}
template <class T>
T atomicXor(T* place, T value) {
    return exchanged(place, *place ^ value);
}
inline u32 atomicInc(u32* place, u32 limit) { return exchanged(place, *place >= limit ? 0 : *place + 1); }
inline u32 atomicDec(u32* place, u32 limit) {
    return exchanged(place, *place == 0 || *place > limit ? limit : *place - 1);
}
template <class T>
T atomicCAS(T* place, T expected, T value) {
    return exchanged(place, *place == expected ? value : *place);
}

}  // namespace reference
