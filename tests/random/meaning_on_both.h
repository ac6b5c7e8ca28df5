// Small functions that a kernel and its reference call alike: arithmetic that C++ leaves undefined for some values is
// given a meaning here, in terms of arithmetic that it defines.
#pragma once

#include <cmath>
#include <cstring>

#if defined(RANDOM_HALF)
#include <cuda_fp16.h>
#endif
#if defined(RANDOM_BFLOAT16)
#include <cuda_bf16.h>
#endif

#define RANDOM_BOTH __host__ __device__ static inline

namespace both {

template <class T>
struct Wide {
    using type = unsigned int;  // arithmetic of narrow types takes place in 32 bits and wraps
    static constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
};
template <>
struct Wide<long long> {
    using type = unsigned long long;
    static constexpr bool is_signed = true;
};
template <>
struct Wide<unsigned long long> {
    using type = unsigned long long;
    static constexpr bool is_signed = false;
};

template <class T>
RANDOM_BOTH T divide(T x, T y) {
    if (y == 0) return x;
    if (Wide<T>::is_signed && y == static_cast<T>(-1))
        return static_cast<T>(0 - static_cast<typename Wide<T>::type>(x));
    return static_cast<T>(x / y);
}
template <class T>
RANDOM_BOTH T remainder(T x, T y) {
    if (y == 0) return x;
    if (Wide<T>::is_signed && y == static_cast<T>(-1)) return 0;
    return static_cast<T>(x % y);
}

// Truncated where the number fits with room to spare, else 77.
template <class To, class From>
RANDOM_BOTH To truncated(From x, From low, From high) {
    return x > low && x < high ? static_cast<To>(x) : static_cast<To>(77);
}

// The n-th lane of a mask, counted from 0 and round about.
RANDOM_BOTH int nth_lane(unsigned mask, unsigned n) {
    unsigned count = 0;
    for (int lane = 0; lane < 32; ++lane) count += mask >> lane & 1;
    n %= count;
    for (int lane = 0; lane < 32; ++lane)
        if ((mask >> lane & 1) != 0 && n-- == 0) return lane;
    return 0;
}

// The bits of a value; all NaNs are one, whose sign and payload no standard fixes.
RANDOM_BOTH unsigned long long bits(bool x) { return x ? 1 : 0; }
RANDOM_BOTH unsigned long long bits(signed char x) {
    return static_cast<unsigned long long>(static_cast<long long>(x));
}
RANDOM_BOTH unsigned long long bits(unsigned char x) { return x; }
RANDOM_BOTH unsigned long long bits(short x) { return static_cast<unsigned long long>(static_cast<long long>(x)); }
RANDOM_BOTH unsigned long long bits(unsigned short x) { return x; }
RANDOM_BOTH unsigned long long bits(int x) { return static_cast<unsigned long long>(static_cast<long long>(x)); }
RANDOM_BOTH unsigned long long bits(unsigned x) { return x; }
RANDOM_BOTH unsigned long long bits(long long x) { return static_cast<unsigned long long>(x); }
RANDOM_BOTH unsigned long long bits(unsigned long long x) { return x; }
RANDOM_BOTH unsigned long long bits(float x) {
    unsigned pattern;
    memcpy(&pattern, &x, sizeof x);
    return x != x ? 0x7fffffffu : pattern;
}
RANDOM_BOTH unsigned long long bits(double x) {
    unsigned long long pattern;
    memcpy(&pattern, &x, sizeof x);
    return x != x ? 0x7fffffffffffffffull : pattern;
}
#define RANDOM_BITS_OF_HALVES(H, P, infinity)                     \
    RANDOM_BOTH unsigned long long bits(H x) {                    \
        unsigned short pattern;                                   \
        memcpy(&pattern, &x, sizeof x);                           \
        return (pattern & 0x7fff) > infinity ? 0x7fffu : pattern; \
    }                                                             \
    RANDOM_BOTH unsigned long long bits(P x) { return bits(x.x) | bits(x.y) << 16; }
#if defined(RANDOM_HALF)
RANDOM_BITS_OF_HALVES(__half, __half2, 0x7c00)
#endif
#if defined(RANDOM_BFLOAT16)
RANDOM_BITS_OF_HALVES(__nv_bfloat16, __nv_bfloat162, 0x7f80)
#endif
#undef RANDOM_BITS_OF_HALVES

}  // namespace both
