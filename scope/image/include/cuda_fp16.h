// __half and __half2: storage, conversion, arithmetic and comparison, in device code by PTX, on the host through float.
//
// Guarantees: device arithmetic is one PTX instruction each (compute capability 5.3 and later).
#pragma once

#include "cuda_runtime.h"
#include "tilescope/round_small_float.h"

#define TILESCOPE_HALF static __inline__ __host__ __device__ __attribute__((always_inline))
#define TILESCOPE_HALF_DEVICE static __inline__ __attribute__((device, always_inline))

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};
struct __nv_bfloat16;

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
    __host__ __device__ operator float() const { return __half2float(*this); }
    __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
    __host__ __device__ explicit __half(__nv_bfloat16 x);

    // Written out behind the conversions (tilescope/small_float_functions.h).
#define TILESCOPE_SMALL_MEMBER(type)    \
    __host__ __device__ __half(type x); \
    __host__ __device__ operator type() const;
    TILESCOPE_SMALL_MEMBER(short)
    TILESCOPE_SMALL_MEMBER(unsigned short)
    TILESCOPE_SMALL_MEMBER(int)
    TILESCOPE_SMALL_MEMBER(unsigned int)
    TILESCOPE_SMALL_MEMBER(long)
    TILESCOPE_SMALL_MEMBER(unsigned long)
    TILESCOPE_SMALL_MEMBER(long long)
    TILESCOPE_SMALL_MEMBER(unsigned long long)
#undef TILESCOPE_SMALL_MEMBER
    __host__ __device__ operator signed char() const;
    __host__ __device__ operator unsigned char() const;
    __host__ __device__ operator char() const;
    __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
};
typedef __half half;

struct __align__(4) __half2 {
    __half x, y;

    __half2() = default;
    __host__ __device__ constexpr __half2(__half low, __half high) : x(low), y(high) {}
    __host__ __device__ __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    __host__ __device__ operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
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
#if defined(__CUDA_ARCH__)
#define TILESCOPE_HALF_ROUNDED(mode, rounding)                         \
    TILESCOPE_HALF __half __float2half_##mode(float x) {               \
        unsigned short bits;                                           \
        asm("cvt." rounding ".f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); \
        return __ushort_as_half(bits);                                 \
    }
#else
#define TILESCOPE_HALF_ROUNDED(mode, rounding)                               \
    TILESCOPE_HALF __half __float2half_##mode(float x) {                     \
        return __ushort_as_half(__tilescope_half_of(x, __tilescope_##mode)); \
    }
#endif
TILESCOPE_HALF_ROUNDED(rz, "rz")
TILESCOPE_HALF_ROUNDED(rd, "rm")
TILESCOPE_HALF_ROUNDED(ru, "rp")
#undef TILESCOPE_HALF_ROUNDED
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
TILESCOPE_HALF __half2 __low2half2(__half2 x) { return __half2(x.x, x.x); }
TILESCOPE_HALF __half2 __high2half2(__half2 x) { return __half2(x.y, x.y); }
TILESCOPE_HALF __half2 __lows2half2(__half2 x, __half2 y) { return __half2(x.x, y.x); }
TILESCOPE_HALF __half2 __highs2half2(__half2 x, __half2 y) { return __half2(x.y, y.y); }
TILESCOPE_HALF __half2 __lowhigh2highlow(__half2 x) { return __half2(x.y, x.x); }
TILESCOPE_HALF unsigned int __tilescope_bits(__half2 x) { return x.x.__x | ((unsigned int)x.y.__x << 16); }
TILESCOPE_HALF __half2 __tilescope_half2(unsigned int bits) {
    return __half2(__ushort_as_half((unsigned short)bits), __ushort_as_half((unsigned short)(bits >> 16)));
}

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

#define TILESCOPE_SMALL __half
#define TILESCOPE_PAIR __half2
#define TILESCOPE_SMALL_PTX "f16"
#define TILESCOPE_PAIR_PTX "f16x2"
#if defined(__CUDA_ARCH__)
#define TILESCOPE_NATIVE 1
#define TILESCOPE_SATURATES 1
#else
#define TILESCOPE_NATIVE 0
#define TILESCOPE_SATURATES 0
#endif
#define TILESCOPE_FLOAT(x) __half2float(x)
#define TILESCOPE_ROUNDED(x) __float2half(x)
#define TILESCOPE_SMALL_BITS(bits) __ushort_as_half(bits)
#define TILESCOPE_PAIR_BITS(bits) __tilescope_half2(bits)
#define TILESCOPE_SMALL_TO(name) __half2##name
#define TILESCOPE_SMALL_FROM(name, mode) __##name##2half_##mode
#define TILESCOPE_OF_INTEGER(x, mode) __tilescope_half_of_integer(x, mode)
#define TILESCOPE_TANH(x) __float2half(__tilescope_tanh(__half2float(x)))
#if defined(__CUDA__)
TILESCOPE_HALF_DEVICE float __tilescope_tanh(float x) {
    float r;
    asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}
#endif
#include "tilescope/small_float_functions.h"

#if defined(__CUDA__)
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

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#undef TILESCOPE_HALF_BINARY
#undef TILESCOPE_HALF_BODY
#undef TILESCOPE_HALF2_BODY
#undef TILESCOPE_HALF
#undef TILESCOPE_HALF_DEVICE
