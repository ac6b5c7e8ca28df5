// __half and __half2: storage, conversion, arithmetic and comparison, in device code by PTX, on the host through float.
//
// Guarantees: device arithmetic is one PTX instruction each (compute capability 5.3 and later).
// Does not model: arithmetic with directed roundings, the saturating and relu forms, htanh, bfloat16, atomics of block
// and system scope.
#pragma once

#include "cuda_runtime.h"

#define TILESCOPE_HALF static __inline__ __host__ __device__ __attribute__((always_inline))
#define TILESCOPE_HALF_DEVICE static __inline__ __attribute__((device, always_inline))

struct __half_raw {
    unsigned short x;
};

struct __half;
TILESCOPE_HALF __half __float2half(float x);
TILESCOPE_HALF __half __double2half(double x);
TILESCOPE_HALF float __half2float(__half x);

struct __align__(2) __half {
    unsigned short __x;

    __half() = default;
    __host__ __device__ constexpr __half(__half_raw raw) : __x(raw.x) {}
    __host__ __device__ __half(float x) { *this = __float2half(x); }
    __host__ __device__ __half(double x) { *this = __double2half(x); }
    __host__ __device__ __half(int x) { *this = __float2half((float)x); }
    __host__ __device__ __half(unsigned int x) { *this = __float2half((float)x); }
    __host__ __device__ operator float() const { return __half2float(*this); }
    __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
};
typedef __half half;

struct __align__(4) __half2 {
    __half x, y;

    __half2() = default;
    __host__ __device__ constexpr __half2(__half low, __half high) : x(low), y(high) {}
};
typedef __half2 half2;

// Conversions.
TILESCOPE_HALF __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
TILESCOPE_HALF unsigned short __half_as_ushort(__half x) { return x.__x; }
TILESCOPE_HALF short __half_as_short(__half x) { return (short)x.__x; }
TILESCOPE_HALF __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
TILESCOPE_HALF __half __float2half(float x) {
#if defined(__CUDA_ARCH__)
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
    // Round to nearest even by hand: through an addition that leaves the right number of bits.
    unsigned int from = __builtin_bit_cast(unsigned int, x);
    const unsigned short sign = (unsigned short)((from >> 16) & 0x8000u);
    from &= 0x7fffffffu;
    unsigned short bits;
    if (from > 0x7f800000u)
        bits = 0x7fff;
    else if (from >= 0x477ff000u)
        bits = 0x7c00;
    else if (from < 0x38800000u) {  // becomes subnormal: units of 2^-24
        const float scaled = __builtin_bit_cast(float, from) + 0.5f;
        bits = (unsigned short)(__builtin_bit_cast(unsigned int, scaled) - 0x3f000000u);
    } else
        bits = (unsigned short)((from + 0xfffu + ((from >> 13) & 1u) - 0x38000000u) >> 13);
    bits = bits == 0x7fff ? bits : (unsigned short)(bits | sign);
#endif
    return __ushort_as_half(bits);
}
TILESCOPE_HALF float __half2float(__half x) {
#if defined(__CUDA_ARCH__)
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.__x));
    return result;
#else
    const unsigned int sign = (unsigned int)(x.__x & 0x8000u) << 16, magnitude = x.__x & 0x7fffu;
    float result;
    if (magnitude > 0x7c00u) return __builtin_bit_cast(float, 0x7fffffffu);  // one NaN, as CUDA's headers have it
    if (magnitude == 0x7c00u)
        result = __builtin_bit_cast(float, 0x7f800000u);
    else  // the exponent is 112 too small; subnormals come right with it
        result = __builtin_bit_cast(float, magnitude << 13) * 0x1p112f;
    return __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, result) | sign);
#endif
}
TILESCOPE_HALF __half __float2half_rn(float x) { return __float2half(x); }
TILESCOPE_HALF __half __double2half(double x) {
#if defined(__CUDA_ARCH__)
    unsigned short bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x));
    return __ushort_as_half(bits);
#else
    // Through float rounded to odd, so that the second rounding is the only one: toward zero, and the last bit says
    // whether there was more.
    const float near = (float)x;
    unsigned int odd = __builtin_bit_cast(unsigned int, near);
    const double back = near;
    if (back < x || back > x) odd = (odd - (__builtin_fabs(back) > __builtin_fabs(x) ? 1 : 0)) | 1;
    return __float2half(__builtin_bit_cast(float, odd));
#endif
}
TILESCOPE_HALF __half __int2half_rn(int x) { return __float2half((float)x); }
TILESCOPE_HALF __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
TILESCOPE_HALF __half2 make_half2(__half low, __half high) { return __half2(low, high); }
TILESCOPE_HALF __half2 __half2half2(__half x) { return __half2(x, x); }
TILESCOPE_HALF __half2 __float2half2_rn(float x) { return __half2half2(__float2half(x)); }
TILESCOPE_HALF __half2 __floats2half2_rn(float low, float high) {
    return __half2(__float2half(low), __float2half(high));
}
TILESCOPE_HALF __half2 __float22half2_rn(float2 x) { return __floats2half2_rn(x.x, x.y); }
TILESCOPE_HALF float2 __half22float2(__half2 x) { return make_float2(__half2float(x.x), __half2float(x.y)); }
TILESCOPE_HALF __half __low2half(__half2 x) { return x.x; }
TILESCOPE_HALF __half __high2half(__half2 x) { return x.y; }
TILESCOPE_HALF float __low2float(__half2 x) { return __half2float(x.x); }
TILESCOPE_HALF float __high2float(__half2 x) { return __half2float(x.y); }
TILESCOPE_HALF __half2 __lowhigh2highlow(__half2 x) { return __half2(x.y, x.x); }
TILESCOPE_HALF unsigned int __tilescope_bits(__half2 x) { return x.x.__x | ((unsigned int)x.y.__x << 16); }
TILESCOPE_HALF __half2 __tilescope_half2(unsigned int bits) {
    return __half2(__ushort_as_half((unsigned short)bits), __ushort_as_half((unsigned short)(bits >> 16)));
}

// To integers: one PTX cvt in device code, which saturates; on the host through float, which holds every half exactly,
// within the integer's bounds.
#if defined(__CUDA_ARCH__)
#define TILESCOPE_HALF_TO(to, name, mode, rounding, type, c, as, host)             \
    TILESCOPE_HALF to name##_##mode(__half x) {                                    \
        as result;                                                                 \
        asm("cvt." rounding "." type ".f16 %0, %1;" : "=" c(result) : "h"(x.__x)); \
        return (to)result;                                                         \
    }
#else
#define TILESCOPE_HALF_TO(to, name, mode, rounding, type, c, as, host)                           \
    TILESCOPE_HALF to name##_##mode(__half x) {                                                  \
        const float low = (to)-1 < 0 ? -__builtin_ldexpf(1.0f, 8 * sizeof(to) - 1) : 0.0f;       \
        const float end = __builtin_ldexpf(1.0f, 8 * sizeof(to) - ((to)-1 < 0 ? 1 : 0));         \
        const float whole = host(__half2float(x));                                               \
        const to most = (to)-1 < 0 ? (to)((1ull << (8 * sizeof(to) - 1)) - 1) : (to)-1;          \
        return whole != whole ? (to)0 : whole < low ? (to)low : whole >= end ? most : (to)whole; \
    }
#endif
#define TILESCOPE_HALF_TO_ALL(to, name, type, c, as)                      \
    TILESCOPE_HALF_TO(to, name, rn, "rni", type, c, as, __builtin_rintf)  \
    TILESCOPE_HALF_TO(to, name, rz, "rzi", type, c, as, __builtin_truncf) \
    TILESCOPE_HALF_TO(to, name, rd, "rmi", type, c, as, __builtin_floorf) \
    TILESCOPE_HALF_TO(to, name, ru, "rpi", type, c, as, __builtin_ceilf)
TILESCOPE_HALF_TO_ALL(int, __half2int, "s32", "r", int)
TILESCOPE_HALF_TO_ALL(unsigned int, __half2uint, "u32", "r", unsigned int)
TILESCOPE_HALF_TO_ALL(short, __half2short, "s16", "h", short)
TILESCOPE_HALF_TO_ALL(unsigned short, __half2ushort, "u16", "h", unsigned short)
TILESCOPE_HALF_TO_ALL(long long, __half2ll, "s64", "l", long long)
TILESCOPE_HALF_TO_ALL(unsigned long long, __half2ull, "u64", "l", unsigned long long)
TILESCOPE_HALF_TO(signed char, __half2char, rz, "rzi", "s8", "h", short, __builtin_truncf)
TILESCOPE_HALF_TO(unsigned char, __half2uchar, rz, "rzi", "u8", "h", unsigned short, __builtin_truncf)

// Arithmetic, one instruction in device code; on the host in float, which rounds to the same for + - * /.
#if defined(__CUDA_ARCH__)
#define TILESCOPE_HALF_BODY(instruction, host)                                 \
    unsigned short bits;                                                       \
    asm(instruction ".f16 %0, %1, %2;" : "=h"(bits) : "h"(x.__x), "h"(y.__x)); \
    return __ushort_as_half(bits)
#define TILESCOPE_HALF2_BODY(instruction, scalar)                                                            \
    unsigned int bits;                                                                                       \
    asm(instruction ".f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__tilescope_bits(x)), "r"(__tilescope_bits(y))); \
    return __tilescope_half2(bits)
#else
#define TILESCOPE_HALF_BODY(instruction, host)            \
    const float a = __half2float(x), b = __half2float(y); \
    return __float2half(host)
#define TILESCOPE_HALF2_BODY(instruction, scalar) return __half2(scalar(x.x, y.x), scalar(x.y, y.y))
#endif
#define TILESCOPE_HALF_BINARY(name, name2, instruction, host)                                  \
    TILESCOPE_HALF __half name(__half x, __half y) { TILESCOPE_HALF_BODY(instruction, host); } \
    TILESCOPE_HALF __half2 name2(__half2 x, __half2 y) { TILESCOPE_HALF2_BODY(instruction, name); }
TILESCOPE_HALF_BINARY(__hadd, __hadd2, "add", a + b)
TILESCOPE_HALF_BINARY(__hsub, __hsub2, "sub", a - b)
TILESCOPE_HALF_BINARY(__hmul, __hmul2, "mul", a* b)
// As written, never fused with what comes before or after.
TILESCOPE_HALF_BINARY(__hadd_rn, __hadd2_rn, "add.rn", a + b)
TILESCOPE_HALF_BINARY(__hsub_rn, __hsub2_rn, "sub.rn", a - b)
TILESCOPE_HALF_BINARY(__hmul_rn, __hmul2_rn, "mul.rn", a* b)
TILESCOPE_HALF_BINARY(__hmin, __hmin2, "min", __builtin_fminf(a, b))
TILESCOPE_HALF_BINARY(__hmax, __hmax2, "max", __builtin_fmaxf(a, b))
TILESCOPE_HALF __half __hdiv(__half x, __half y) { return __float2half(__half2float(x) / __half2float(y)); }
TILESCOPE_HALF __half2 __h2div(__half2 x, __half2 y) { return __half2(__hdiv(x.x, y.x), __hdiv(x.y, y.y)); }
// In device code a NaN becomes the one that all arithmetic gives.
#if defined(__CUDA_ARCH__)
#define TILESCOPE_HALF_SIGN(name, name2, instruction, host)                        \
    TILESCOPE_HALF __half name(__half x) {                                         \
        unsigned short bits;                                                       \
        asm(instruction ".f16 %0, %1;" : "=h"(bits) : "h"(x.__x));                 \
        return __ushort_as_half(bits);                                             \
    }                                                                              \
    TILESCOPE_HALF __half2 name2(__half2 x) {                                      \
        unsigned int bits;                                                         \
        asm(instruction ".f16x2 %0, %1;" : "=r"(bits) : "r"(__tilescope_bits(x))); \
        return __tilescope_half2(bits);                                            \
    }
#else
#define TILESCOPE_HALF_SIGN(name, name2, instruction, host)                       \
    TILESCOPE_HALF __half name(__half x) { return __ushort_as_half(x.__x host); } \
    TILESCOPE_HALF __half2 name2(__half2 x) { return __half2(name(x.x), name(x.y)); }
#endif
TILESCOPE_HALF_SIGN(__hneg, __hneg2, "neg", ^0x8000)
TILESCOPE_HALF_SIGN(__habs, __habs2, "abs", &0x7fff)
#undef TILESCOPE_HALF_SIGN
#if defined(__CUDA__)
TILESCOPE_HALF_DEVICE __half __hfma(__half x, __half y, __half z) {
    unsigned short bits;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(x.__x), "h"(y.__x), "h"(z.__x));
    return __ushort_as_half(bits);
}
TILESCOPE_HALF_DEVICE __half2 __hfma2(__half2 x, __half2 y, __half2 z) {
    unsigned int bits;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(bits)
        : "r"(__tilescope_bits(x)), "r"(__tilescope_bits(y)), "r"(__tilescope_bits(z)));
    return __tilescope_half2(bits);
}
// Functions of one half, rounded to the nearest: NVIDIA's way there, an approximation in single precision whose few
// wrong results are put right one by one.
TILESCOPE_HALF_DEVICE float __tilescope_ex2(float x) {
    float r;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
TILESCOPE_HALF_DEVICE float __tilescope_lg2(float x) {
    float r;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
// Adds `more` to r where x is `where`.
TILESCOPE_HALF_DEVICE __half __tilescope_put_right(__half r, __half x, unsigned short where, unsigned short more) {
    unsigned short bits = r.__x;
    asm("{.reg .b16 p; set.eq.f16.f16 p, %1, %2; fma.rn.f16 %0, p, %3, %0;}"
        : "+h"(bits)
        : "h"(x.__x), "h"(where), "h"(more));
    return __ushort_as_half(bits);
}
#define TILESCOPE_HALF_APPROXIMATED(name, name2, instruction)         \
    TILESCOPE_HALF_DEVICE __half name(__half x) {                     \
        float r;                                                      \
        asm(instruction " %0, %1;" : "=f"(r) : "f"(__half2float(x))); \
        return __float2half(r);                                       \
    }                                                                 \
    TILESCOPE_HALF_DEVICE __half2 name2(__half2 x) { return __half2(name(x.x), name(x.y)); }
TILESCOPE_HALF_APPROXIMATED(hsqrt, h2sqrt, "sqrt.approx.ftz.f32")
TILESCOPE_HALF_APPROXIMATED(hrsqrt, h2rsqrt, "rsqrt.approx.ftz.f32")
TILESCOPE_HALF_APPROXIMATED(hrcp, h2rcp, "rcp.approx.ftz.f32")
#undef TILESCOPE_HALF_APPROXIMATED
TILESCOPE_HALF_DEVICE __half hexp(__half x) {
    __half r = __float2half(__tilescope_ex2(__fmaf_rn(__half2float(x), __uint_as_float(0x3fb8aa3bu), -0.0f)));
    r = __tilescope_put_right(r, x, 0x1f79, 0x9400);
    r = __tilescope_put_right(r, x, 0x25cf, 0x9400);
    r = __tilescope_put_right(r, x, 0xc13b, 0x0400);
    return __tilescope_put_right(r, x, 0xc1ef, 0x0200);
}
TILESCOPE_HALF_DEVICE __half hexp2(__half x) {
    const float r = __tilescope_ex2(__half2float(x));
    return __float2half(__fmaf_rn(r, __uint_as_float(0x33800000u), r));
}
TILESCOPE_HALF_DEVICE __half hexp10(__half x) {
    __half r = __float2half(__tilescope_ex2(__fmaf_rn(__half2float(x), __uint_as_float(0x40549a78u), -0.0f)));
    r = __tilescope_put_right(r, x, 0x34de, 0x9800);
    r = __tilescope_put_right(r, x, 0x9766, 0x9000);
    r = __tilescope_put_right(r, x, 0x9972, 0x1000);
    r = __tilescope_put_right(r, x, 0xa5c4, 0x1000);
    return __tilescope_put_right(r, x, 0xbf0a, 0x8100);
}
TILESCOPE_HALF_DEVICE __half hlog2(__half x) {
    __half r = __float2half(__tilescope_lg2(__half2float(x)));
    r = __tilescope_put_right(r, r, 0xa2e2, 0x8080);
    return __tilescope_put_right(r, r, 0xbf46, 0x9400);
}
TILESCOPE_HALF_DEVICE __half hlog(__half x) {
    __half r = __float2half(__fmul_rn(__tilescope_lg2(__half2float(x)), __uint_as_float(0x3f317218u)));
    r = __tilescope_put_right(r, x, 0x160d, 0x9c00);
    r = __tilescope_put_right(r, x, 0x3bfe, 0x8010);
    r = __tilescope_put_right(r, x, 0x3c0b, 0x8080);
    return __tilescope_put_right(r, x, 0x6051, 0x1c00);
}
TILESCOPE_HALF_DEVICE __half hlog10(__half x) {
    __half r = __float2half(__fmul_rn(__tilescope_lg2(__half2float(x)), __uint_as_float(0x3e9a209bu)));
    r = __tilescope_put_right(r, x, 0x338f, 0x1000);
    r = __tilescope_put_right(r, x, 0x33f8, 0x9000);
    r = __tilescope_put_right(r, x, 0x57e1, 0x9800);
    return __tilescope_put_right(r, x, 0x719d, 0x9c00);
}
// The sine of x + quarter * pi / 2.
TILESCOPE_HALF_DEVICE float __tilescope_half_sine(float x, unsigned quarter) {
    const float shifted = __fmaf_rn(x, 0.636619772f, 12582912.0f);
    const float turns = __fsub_rn(shifted, 12582912.0f);
    const unsigned at = __float_as_uint(shifted) + quarter;
    x = __fmaf_rn(turns, -1.5707962512969971f, x);
    x = __fmaf_rn(turns, -7.5497894158615964e-08f, x);
    const float square = __fmul_rn(x, x);
    const bool is_cosine = (at & 1u) != 0u;
    float z =
        __fmaf_rn(is_cosine ? 2.44331571e-5f : -1.95152959e-4f, square, is_cosine ? -1.38873163e-3f : 8.33216087e-3f);
    z = __fmaf_rn(z, square, is_cosine ? 4.16666457e-2f : -1.66666546e-1f);
    z = __fmaf_rn(z, square, is_cosine ? -0.5f : 0.0f);
    z = __fmaf_rn(z, is_cosine ? square : x, is_cosine ? 1.0f : x);
    return (at & 2u) != 0u ? -z : z;
}
TILESCOPE_HALF_DEVICE __half hsin(__half x) {
    const __half r = __float2half(__tilescope_half_sine(__half2float(x), 0u));
    const unsigned short sign = r.__x & 0x8000;
    __half size = __tilescope_put_right(__habs(r), __habs(x), 0x32b3, 0x0800);
    size = __tilescope_put_right(size, __habs(x), 0x5cb0, 0x9000);
    return __ushort_as_half(size.__x | sign);
}
TILESCOPE_HALF_DEVICE __half hcos(__half x) {
    const __half r = __float2half(__tilescope_half_sine(__half2float(x), 1u));
    return __tilescope_put_right(r, __habs(x), 0x2b7c, 0x1000);
}
#define TILESCOPE_HALF_PAIR(name2, name) \
    TILESCOPE_HALF_DEVICE __half2 name2(__half2 x) { return __half2(name(x.x), name(x.y)); }
TILESCOPE_HALF_PAIR(h2exp, hexp)
TILESCOPE_HALF_PAIR(h2exp2, hexp2)
TILESCOPE_HALF_PAIR(h2exp10, hexp10)
TILESCOPE_HALF_PAIR(h2log, hlog)
TILESCOPE_HALF_PAIR(h2log2, hlog2)
TILESCOPE_HALF_PAIR(h2log10, hlog10)
TILESCOPE_HALF_PAIR(h2sin, hsin)
TILESCOPE_HALF_PAIR(h2cos, hcos)
#undef TILESCOPE_HALF_PAIR
#endif

// Comparison is exact in float.
#define TILESCOPE_HALF_COMPARE(name, op) \
    TILESCOPE_HALF bool name(__half x, __half y) { return __half2float(x) op __half2float(y); }
TILESCOPE_HALF_COMPARE(__heq, ==)
TILESCOPE_HALF_COMPARE(__hlt, <)
TILESCOPE_HALF_COMPARE(__hle, <=)
TILESCOPE_HALF_COMPARE(__hgt, >)
TILESCOPE_HALF_COMPARE(__hge, >=)
TILESCOPE_HALF bool __hne(__half x, __half y) {
    const float a = __half2float(x), b = __half2float(y);
    return a < b || a > b;
}
TILESCOPE_HALF bool __hisnan(__half x) { return (x.__x & 0x7fff) > 0x7c00; }
TILESCOPE_HALF int __hisinf(__half x) { return (x.__x & 0x7fff) != 0x7c00 ? 0 : x.__x & 0x8000 ? -1 : 1; }

#define TILESCOPE_HALF_OPERATOR(op, name, name2)                                                   \
    TILESCOPE_HALF __half operator op(const __half& x, const __half& y) { return name(x, y); }     \
    TILESCOPE_HALF __half& operator op##=(__half& x, const __half& y) { return x = name(x, y); }   \
    TILESCOPE_HALF __half2 operator op(const __half2& x, const __half2& y) { return name2(x, y); } \
    TILESCOPE_HALF __half2& operator op##=(__half2& x, const __half2& y) { return x = name2(x, y); }
TILESCOPE_HALF_OPERATOR(+, __hadd, __hadd2)
TILESCOPE_HALF_OPERATOR(-, __hsub, __hsub2)
TILESCOPE_HALF_OPERATOR(*, __hmul, __hmul2)
TILESCOPE_HALF_OPERATOR(/, __hdiv, __h2div)
TILESCOPE_HALF __half operator-(const __half& x) { return __hneg(x); }
TILESCOPE_HALF bool operator==(const __half& x, const __half& y) { return __heq(x, y); }
TILESCOPE_HALF bool operator!=(const __half& x, const __half& y) { return !__heq(x, y); }
TILESCOPE_HALF bool operator<(const __half& x, const __half& y) { return __hlt(x, y); }
TILESCOPE_HALF bool operator<=(const __half& x, const __half& y) { return __hle(x, y); }
TILESCOPE_HALF bool operator>(const __half& x, const __half& y) { return __hgt(x, y); }
TILESCOPE_HALF bool operator>=(const __half& x, const __half& y) { return __hge(x, y); }

#if defined(__CUDA__)
#define TILESCOPE_HALF_SHUFFLE(name, offset_type)                                                      \
    TILESCOPE_HALF_DEVICE __half name(unsigned mask, __half x, offset_type offset, int width = 32) {   \
        return __ushort_as_half((unsigned short)name(mask, (unsigned int)x.__x, offset, width));       \
    }                                                                                                  \
    TILESCOPE_HALF_DEVICE __half2 name(unsigned mask, __half2 x, offset_type offset, int width = 32) { \
        return __tilescope_half2(name(mask, __tilescope_bits(x), offset, width));                      \
    }
TILESCOPE_HALF_SHUFFLE(__shfl_sync, int)
TILESCOPE_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
TILESCOPE_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
TILESCOPE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef TILESCOPE_HALF_SHUFFLE
#endif

#if defined(__CUDA__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
TILESCOPE_HALF_DEVICE __half atomicAdd(__half* p, __half x) {
    unsigned short old = 0;
#if defined(__CUDA_ARCH__)
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(x.__x) : "memory");
#endif
    return __ushort_as_half(old);
}
TILESCOPE_HALF_DEVICE __half2 atomicAdd(__half2* p, __half2 x) {
    unsigned int old = 0;
#if defined(__CUDA_ARCH__)
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(__tilescope_bits(x)) : "memory");
#endif
    return __tilescope_half2(old);
}
#endif

#undef TILESCOPE_HALF_TO
#undef TILESCOPE_HALF_TO_ALL
#undef TILESCOPE_HALF_OPERATOR
#undef TILESCOPE_HALF_COMPARE
#undef TILESCOPE_HALF_BINARY
#undef TILESCOPE_HALF_BODY
#undef TILESCOPE_HALF2_BODY
#undef TILESCOPE_HALF
#undef TILESCOPE_HALF_DEVICE
