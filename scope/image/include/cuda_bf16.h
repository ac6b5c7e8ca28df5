// __nv_bfloat16 and __nv_bfloat162: storage, conversion, arithmetic and comparison, in device code by PTX, on the host
// through float.
//
// Guarantees: one PTX instruction each where the device has it (compute capability 9.0), the same results where not.
#pragma once

#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "tilescope/round_small_float.h"

#define TILESCOPE_BF16 static __inline__ __host__ __device__ __attribute__((always_inline))
#define TILESCOPE_BF16_DEVICE static __inline__ __attribute__((device, always_inline))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TILESCOPE_BF16_NATIVE 1
#else
#define TILESCOPE_BF16_NATIVE 0
#endif

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

struct __nv_bfloat16;
TILESCOPE_BF16 __nv_bfloat16 __float2bfloat16(float x);
TILESCOPE_BF16 __nv_bfloat16 __double2bfloat16(double x);
TILESCOPE_BF16 float __bfloat162float(__nv_bfloat16 x);

struct __align__(2) __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    __host__ __device__ constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
    __host__ __device__ __nv_bfloat16(float x) { *this = __float2bfloat16(x); }
    __host__ __device__ __nv_bfloat16(double x) { *this = __double2bfloat16(x); }
    __host__ __device__ explicit __nv_bfloat16(__half x) { *this = __float2bfloat16(__half2float(x)); }
    __host__ __device__ operator float() const { return __bfloat162float(*this); }
    __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }

    // Written out behind the conversions (tilescope/small_float_functions.h).
#define TILESCOPE_SMALL_MEMBER(type)           \
    __host__ __device__ __nv_bfloat16(type x); \
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
typedef __nv_bfloat16 nv_bfloat16;

struct __align__(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    __host__ __device__ constexpr __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
    __host__ __device__ __nv_bfloat162(__nv_bfloat162_raw raw)
        : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
    __host__ __device__ operator __nv_bfloat162_raw() const { return __nv_bfloat162_raw{x.__x, y.__x}; }
};
typedef __nv_bfloat162 nv_bfloat162;

// Conversions.
TILESCOPE_BF16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
TILESCOPE_BF16 __nv_bfloat16 __short_as_bfloat16(short bits) { return __ushort_as_bfloat16((unsigned short)bits); }
TILESCOPE_BF16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.__x; }
TILESCOPE_BF16 short __bfloat16_as_short(__nv_bfloat16 x) { return (short)x.__x; }
TILESCOPE_BF16 float __bfloat162float(__nv_bfloat16 x) {
#if TILESCOPE_BF16_NATIVE && defined(__CUDA_ARCH__)
    float y;
    asm("cvt.f32.bf16 %0, %1;" : "=f"(y) : "h"(x.__x));
    return y;
#else
    return __builtin_bit_cast(float, (unsigned int)x.__x << 16);
#endif
}
// Toward zero is nearly cutting off; toward one of the infinities is the next number where something was cut off.
#if defined(__CUDA_ARCH__)
#define TILESCOPE_BF16_BY(name, from, c, instruction, mode)     \
    TILESCOPE_BF16 __nv_bfloat16 name(from x) {                 \
        unsigned short bits;                                    \
        asm("cvt." instruction " %0, %1;" : "=h"(bits) : c(x)); \
        return __ushort_as_bfloat16(bits);                      \
    }
#endif
#define TILESCOPE_BF16_ROUNDED(name, from, c, instruction, mode)                     \
    TILESCOPE_BF16 __nv_bfloat16 name(from x) {                                      \
        return __ushort_as_bfloat16(__tilescope_bfloat16_of(x, __tilescope_##mode)); \
    }
#if !defined(__CUDA_ARCH__)
#define TILESCOPE_BF16_BY TILESCOPE_BF16_ROUNDED
#endif
TILESCOPE_BF16_BY(__float2bfloat16, float, "f", "rn.bf16.f32", rn)
TILESCOPE_BF16_BY(__float2bfloat16_rn, float, "f", "rn.bf16.f32", rn)
TILESCOPE_BF16_BY(__float2bfloat16_rz, float, "f", "rz.bf16.f32", rz)
#if TILESCOPE_BF16_NATIVE
TILESCOPE_BF16_BY(__float2bfloat16_rd, float, "f", "rm.bf16.f32", rd)
TILESCOPE_BF16_BY(__float2bfloat16_ru, float, "f", "rp.bf16.f32", ru)
TILESCOPE_BF16_BY(__double2bfloat16, double, "d", "rn.bf16.f64", rn)
#else
TILESCOPE_BF16_ROUNDED(__float2bfloat16_rd, float, "f", "rm.bf16.f32", rd)
TILESCOPE_BF16_ROUNDED(__float2bfloat16_ru, float, "f", "rp.bf16.f32", ru)
TILESCOPE_BF16_ROUNDED(__double2bfloat16, double, "d", "rn.bf16.f64", rn)
#endif
#undef TILESCOPE_BF16_BY
#undef TILESCOPE_BF16_ROUNDED

#define TILESCOPE_BF16_PAIR TILESCOPE_BF16 __nv_bfloat162
TILESCOPE_BF16_PAIR __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return __nv_bfloat162(low, high); }
TILESCOPE_BF16_PAIR make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return __nv_bfloat162(low, high); }
TILESCOPE_BF16_PAIR __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162(x, x); }
TILESCOPE_BF16_PAIR __float2bfloat162_rn(float x) { return __bfloat162bfloat162(__float2bfloat16(x)); }
TILESCOPE_BF16_PAIR __floats2bfloat162_rn(float low, float high) {
    return __nv_bfloat162(__float2bfloat16(low), __float2bfloat16(high));
}
TILESCOPE_BF16_PAIR __float22bfloat162_rn(float2 x) { return __floats2bfloat162_rn(x.x, x.y); }
TILESCOPE_BF16_PAIR __low2bfloat162(__nv_bfloat162 x) { return __nv_bfloat162(x.x, x.x); }
TILESCOPE_BF16_PAIR __high2bfloat162(__nv_bfloat162 x) { return __nv_bfloat162(x.y, x.y); }
TILESCOPE_BF16_PAIR __lows2bfloat162(__nv_bfloat162 x, __nv_bfloat162 y) { return __nv_bfloat162(x.x, y.x); }
TILESCOPE_BF16_PAIR __highs2bfloat162(__nv_bfloat162 x, __nv_bfloat162 y) { return __nv_bfloat162(x.y, y.y); }
TILESCOPE_BF16_PAIR __lowhigh2highlow(__nv_bfloat162 x) { return __nv_bfloat162(x.y, x.x); }
TILESCOPE_BF16_PAIR __tilescope_bfloat162(unsigned int bits) {
    return __nv_bfloat162(__ushort_as_bfloat16((unsigned short)bits),
                          __ushort_as_bfloat16((unsigned short)(bits >> 16)));
}
TILESCOPE_BF16 __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) { return x.x; }
TILESCOPE_BF16 __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) { return x.y; }
TILESCOPE_BF16 float __low2float(__nv_bfloat162 x) { return __bfloat162float(x.x); }
TILESCOPE_BF16 float __high2float(__nv_bfloat162 x) { return __bfloat162float(x.y); }
TILESCOPE_BF16 float2 __bfloat1622float2(__nv_bfloat162 x) { return make_float2(__low2float(x), __high2float(x)); }

// Arithmetic. Through float it is rounded twice to the same: a float has more than twice the digits.
#if TILESCOPE_BF16_NATIVE
#define TILESCOPE_BF16_BINARY(name, name2, instruction, host)                                              \
    TILESCOPE_BF16 __nv_bfloat16 name(__nv_bfloat16 x, __nv_bfloat16 y) {                                  \
        unsigned short bits;                                                                               \
        asm(instruction ".bf16 %0, %1, %2;" : "=h"(bits) : "h"(x.__x), "h"(y.__x));                        \
        return __ushort_as_bfloat16(bits);                                                                 \
    }                                                                                                      \
    TILESCOPE_BF16 __nv_bfloat162 name2(__nv_bfloat162 x, __nv_bfloat162 y) {                              \
        unsigned int bits;                                                                                 \
        asm(instruction ".bf16x2 %0, %1, %2;"                                                              \
            : "=r"(bits)                                                                                   \
            : "r"(x.x.__x | ((unsigned int)x.y.__x << 16)), "r"(y.x.__x | ((unsigned int)y.y.__x << 16))); \
        return __tilescope_bfloat162(bits);                                                                \
    }
#else
#define TILESCOPE_BF16_BINARY(name, name2, instruction, host)                 \
    TILESCOPE_BF16 __nv_bfloat16 name(__nv_bfloat16 x, __nv_bfloat16 y) {     \
        const float a = __bfloat162float(x), b = __bfloat162float(y);         \
        return __float2bfloat16(host);                                        \
    }                                                                         \
    TILESCOPE_BF16 __nv_bfloat162 name2(__nv_bfloat162 x, __nv_bfloat162 y) { \
        return __nv_bfloat162(name(x.x, y.x), name(x.y, y.y));                \
    }
#endif
TILESCOPE_BF16_BINARY(__hadd, __hadd2, "add", a + b)
TILESCOPE_BF16_BINARY(__hsub, __hsub2, "sub", a - b)
TILESCOPE_BF16_BINARY(__hmul, __hmul2, "mul", a* b)
// As written, never fused with what comes before or after.
TILESCOPE_BF16_BINARY(__hadd_rn, __hadd2_rn, "add.rn", a + b)
TILESCOPE_BF16_BINARY(__hsub_rn, __hsub2_rn, "sub.rn", a - b)
TILESCOPE_BF16_BINARY(__hmul_rn, __hmul2_rn, "mul.rn", a* b)
#undef TILESCOPE_BF16_BINARY
TILESCOPE_BF16 __nv_bfloat16 __hdiv(__nv_bfloat16 x, __nv_bfloat16 y) {
    return __float2bfloat16(__bfloat162float(x) / __bfloat162float(y));
}
TILESCOPE_BF16_PAIR __h2div(__nv_bfloat162 x, __nv_bfloat162 y) {
    return __nv_bfloat162(__hdiv(x.x, y.x), __hdiv(x.y, y.y));
}
// In device code a NaN becomes the one that all arithmetic gives.
#if defined(__CUDA_ARCH__)
#define TILESCOPE_BF16_SIGN(name, name2, instruction, host)         \
    TILESCOPE_BF16 __nv_bfloat16 name(__nv_bfloat16 x) {            \
        unsigned short bits;                                        \
        asm(instruction ".bf16 %0, %1;" : "=h"(bits) : "h"(x.__x)); \
        return __ushort_as_bfloat16(bits);                          \
    }                                                               \
    TILESCOPE_BF16 __nv_bfloat162 name2(__nv_bfloat162 x) { return __nv_bfloat162(name(x.x), name(x.y)); }
#else
#define TILESCOPE_BF16_SIGN(name, name2, instruction, host)                                         \
    TILESCOPE_BF16 __nv_bfloat16 name(__nv_bfloat16 x) { return __ushort_as_bfloat16(x.__x host); } \
    TILESCOPE_BF16 __nv_bfloat162 name2(__nv_bfloat162 x) { return __nv_bfloat162(name(x.x), name(x.y)); }
#endif
TILESCOPE_BF16_SIGN(__hneg, __hneg2, "neg", ^0x8000)
TILESCOPE_BF16_SIGN(__habs, __habs2, "abs", &0x7fff)
#undef TILESCOPE_BF16_SIGN

#define TILESCOPE_SMALL __nv_bfloat16
#define TILESCOPE_PAIR __nv_bfloat162
#define TILESCOPE_SMALL_PTX "bf16"
#define TILESCOPE_PAIR_PTX "bf16x2"
#define TILESCOPE_NATIVE TILESCOPE_BF16_NATIVE
#define TILESCOPE_SATURATES 0
#define TILESCOPE_FLOAT(x) __bfloat162float(x)
#define TILESCOPE_ROUNDED(x) __float2bfloat16(x)
#define TILESCOPE_SMALL_BITS(bits) __ushort_as_bfloat16(bits)
#define TILESCOPE_PAIR_BITS(bits) __tilescope_bfloat162(bits)
#define TILESCOPE_SMALL_TO(name) __bfloat162##name
#define TILESCOPE_SMALL_FROM(name, mode) __##name##2bfloat16_##mode
#define TILESCOPE_OF_INTEGER(x, mode) __tilescope_bfloat16_of_integer(x, mode)
#define TILESCOPE_TANH(x) __float2bfloat16(__tilescope_tanh(__bfloat162float(x)))
#include "tilescope/small_float_functions.h"

#if defined(__CUDA__)
// Functions of one element: in single precision, one instruction but for factors, and rounded.
#define TILESCOPE_BF16_FUNCTION(name, name2, result)               \
    TILESCOPE_BF16_DEVICE __nv_bfloat16 name(__nv_bfloat16 from) { \
        const float x = __bfloat162float(from);                    \
        return __float2bfloat16(result);                           \
    }                                                              \
    TILESCOPE_BF16_DEVICE __nv_bfloat162 name2(__nv_bfloat162 x) { return __nv_bfloat162(name(x.x), name(x.y)); }
#define TILESCOPE_BF16_SINGLE(name, instruction)                   \
    TILESCOPE_BF16_DEVICE float __tilescope_##name(float x) {      \
        float r;                                                   \
        asm(instruction ".approx.f32 %0, %1;" : "=f"(r) : "f"(x)); \
        return r;                                                  \
    }
TILESCOPE_BF16_SINGLE(single_ex2, "ex2")
TILESCOPE_BF16_SINGLE(single_lg2, "lg2")
TILESCOPE_BF16_SINGLE(single_sqrt, "sqrt")
TILESCOPE_BF16_SINGLE(single_rsqrt, "rsqrt")
TILESCOPE_BF16_SINGLE(single_rcp, "rcp")
#undef TILESCOPE_BF16_SINGLE
TILESCOPE_BF16_FUNCTION(hsqrt, h2sqrt, __tilescope_single_sqrt(x))
TILESCOPE_BF16_FUNCTION(hrsqrt, h2rsqrt, __tilescope_single_rsqrt(x))
TILESCOPE_BF16_FUNCTION(hrcp, h2rcp, __tilescope_single_rcp(x))
TILESCOPE_BF16_FUNCTION(hexp, h2exp, __tilescope_single_ex2(__fmul_rn(x, 0x1.715478p+0f)))
TILESCOPE_BF16_FUNCTION(hexp2, h2exp2, __tilescope_single_ex2(x))
TILESCOPE_BF16_FUNCTION(hlog, h2log, __fmul_rn(__tilescope_single_lg2(x), 0x1.62e43p-1f))
TILESCOPE_BF16_FUNCTION(hlog2, h2log2, __tilescope_single_lg2(x))
TILESCOPE_BF16_FUNCTION(hlog10, h2log10, __fmul_rn(__tilescope_single_lg2(x), 0x1.344136p-2f))
TILESCOPE_BF16_FUNCTION(hsin, h2sin, sinf(x))
TILESCOPE_BF16_FUNCTION(hcos, h2cos, cosf(x))
#undef TILESCOPE_BF16_FUNCTION
TILESCOPE_BF16_DEVICE __nv_bfloat16 hexp10(__nv_bfloat16 x) {
    // The one argument whose result comes out on the wrong side of the middle between two.
    if (x.__x == 0xbc95) return __ushort_as_bfloat16(0x3f75);
    return __float2bfloat16(__tilescope_single_ex2(__fmul_rn(__bfloat162float(x), 0x1.a934fp+1f)));
}
TILESCOPE_BF16_DEVICE __nv_bfloat162 h2exp10(__nv_bfloat162 x) { return __nv_bfloat162(hexp10(x.x), hexp10(x.y)); }

// Atomic addition; before compute capability 9.0 by comparing and trying again.
TILESCOPE_BF16_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 x) {
#if TILESCOPE_BF16_NATIVE || !defined(__CUDA_ARCH__)
    unsigned short old = 0;
#if TILESCOPE_BF16_NATIVE
    asm volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(x.__x) : "memory");
#endif
    return __ushort_as_bfloat16(old);
#else
    unsigned short* const word = (unsigned short*)p;
    unsigned short seen = *(volatile unsigned short*)word, expected;
    do {
        expected = seen;
        seen = atomicCAS(word, expected, __hadd(__ushort_as_bfloat16(expected), x).__x);
    } while (seen != expected);
    return __ushort_as_bfloat16(seen);
#endif
}
TILESCOPE_BF16_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* p, __nv_bfloat162 x) {
#if TILESCOPE_BF16_NATIVE || !defined(__CUDA_ARCH__)
    unsigned int old = 0;
#if TILESCOPE_BF16_NATIVE
    asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(__tilescope_pair_bits(x)) : "memory");
#endif
    return __tilescope_bfloat162(old);
#else
    unsigned int* const word = (unsigned int*)p;
    unsigned int seen = *(volatile unsigned int*)word, expected;
    do {
        expected = seen;
        seen = atomicCAS(word, expected, __tilescope_pair_bits(__hadd2(__tilescope_bfloat162(expected), x)));
    } while (seen != expected);
    return __tilescope_bfloat162(seen);
#endif
}
#endif

__host__ __device__ inline __half::__half(__nv_bfloat16 x) : __half(__bfloat162float(x)) {}

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#undef TILESCOPE_BF16_PAIR
#undef TILESCOPE_BF16_NATIVE
#undef TILESCOPE_BF16_DEVICE
#undef TILESCOPE_BF16
