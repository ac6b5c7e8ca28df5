// Floating-point numbers of 8 bits, e4m3 and e5m2, and powers of two, e8m0, alone and in twos and fours: storage and
// conversions, on both sides.
//
// Guarantees: the bits that NVIDIA's conversions give; by integers, or one instruction where the device has it.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#define TILESCOPE_FP8 static __inline__ __host__ __device__ __attribute__((always_inline))

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// Rounded to the nearest. Too large becomes the greatest number (__NV_SATFINITE), or infinity, and not a number in
// e4m3, which has no infinity.
TILESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t kind) {
    const unsigned long long from = __builtin_bit_cast(unsigned long long, x);
    const unsigned sign = (unsigned)(from >> 56) & 0x80u;
    const bool e4m3 = kind == __NV_E4M3;
    // Not a number keeps its sign and, in e5m2, what there is room for of its fraction; of a float it does not.
    if (x != x) return (__nv_fp8_storage_t)(sign | 0x7eu | (e4m3 ? 1u : (unsigned)(from >> 50) & 1u));
    const unsigned greatest = e4m3 ? 0x7e : 0x7b;
    unsigned bits = e4m3 ? __tilescope_round_double(x, 4, -6, 8, __tilescope_rn)
                         : __tilescope_round_double(x, 3, -14, 15, __tilescope_rn);
    if (bits > greatest) bits = saturate == __NV_SATFINITE ? greatest : greatest + 1;
    return (__nv_fp8_storage_t)(sign | bits);
}
TILESCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                            __nv_fp8_interpretation_t kind) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (saturate == __NV_SATFINITE) {
        unsigned short bits;
        if (kind == __NV_E4M3)
            asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(x.y), "f"(x.x));
        else
            asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(x.y), "f"(x.x));
        return bits;
    }
#endif
    const unsigned low = x.x != x.x ? 0x7fu : __nv_cvt_double_to_fp8(x.x, saturate, kind);
    const unsigned high = x.y != x.y ? 0x7fu : __nv_cvt_double_to_fp8(x.y, saturate, kind);
    return (__nv_fp8x2_storage_t)(low | high << 8);
}
TILESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t kind) {
    return (__nv_fp8_storage_t)__nv_cvt_float2_to_fp8x2(make_float2(x, 0.0f), saturate, kind);
}
TILESCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                             __nv_fp8_interpretation_t kind) {
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, saturate, kind) |
                                  __nv_cvt_double_to_fp8(x.y, saturate, kind) << 8);
}
TILESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturate, kind);
}
TILESCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(x)), saturate, kind);
}
TILESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                             __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate, kind);
}
TILESCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                                  __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(x)), saturate, kind);
}

// To half: exact, e5m2 is the upper half of one.
TILESCOPE_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
    const unsigned sign = (x & 0x80u) << 8, size = x & 0x7fu;
    if (kind == __NV_E5M2) return __half_raw{(unsigned short)(size > 0x7c ? 0x7fff : sign | size << 8)};
    if (size == 0x7f) return __half_raw{0x7fff};
    if (size >= 8) return __half_raw{(unsigned short)(sign | (size << 7) + (8 << 10))};
    // Subnormal: units of 2^-9.
    return __half_raw{(unsigned short)(sign | __float2half((float)size * 0x1p-9f).__x)};
}
TILESCOPE_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    unsigned int bits;
    if (kind == __NV_E4M3)
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(bits) : "h"(x));
    else
        asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(bits) : "h"(x));
    return __half2_raw{(unsigned short)bits, (unsigned short)(bits >> 16)};
#else
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
#endif
}

// The types of one, two and four numbers. What they are made of is never too large for them.
#define TILESCOPE_FP8_MEMBER __host__ __device__ explicit
#define TILESCOPE_FP8_FROM(type, from) \
    TILESCOPE_FP8_MEMBER type(from x) : __x(__nv_cvt_float_to_fp8((float)x, __NV_SATFINITE, kKind)) {}
#define TILESCOPE_FP8_TO(to, as) \
    TILESCOPE_FP8_MEMBER operator to() const { return (to)(as)__half(*this); }
#define TILESCOPE_FP8_TYPES(name, kind)                                                                                \
    struct __align__(1) __nv_fp8_##name {                                                                              \
        static constexpr __nv_fp8_interpretation_t kKind = kind;                                                       \
        __nv_fp8_storage_t __x;                                                                                        \
        __nv_fp8_##name() = default;                                                                                   \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, __half)                                                                    \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, __nv_bfloat16)                                                             \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, float)                                                                     \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, short)                                                                     \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, unsigned short)                                                            \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, int)                                                                       \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, unsigned int)                                                              \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, long)                                                                      \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, unsigned long)                                                             \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, long long)                                                                 \
        TILESCOPE_FP8_FROM(__nv_fp8_##name, unsigned long long)                                                        \
        TILESCOPE_FP8_MEMBER __nv_fp8_##name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {}       \
        TILESCOPE_FP8_MEMBER operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); }            \
        TILESCOPE_FP8_TO(float, float)                                                                                 \
        TILESCOPE_FP8_TO(double, float)                                                                                \
        TILESCOPE_FP8_TO(__nv_bfloat16, float)                                                                         \
        TILESCOPE_FP8_TO(char, char)                                                                                   \
        TILESCOPE_FP8_TO(signed char, signed char)                                                                     \
        TILESCOPE_FP8_TO(unsigned char, unsigned char)                                                                 \
        TILESCOPE_FP8_TO(short, short)                                                                                 \
        TILESCOPE_FP8_TO(unsigned short, unsigned short)                                                               \
        TILESCOPE_FP8_TO(int, int)                                                                                     \
        TILESCOPE_FP8_TO(unsigned int, unsigned int)                                                                   \
        TILESCOPE_FP8_TO(long, long)                                                                                   \
        TILESCOPE_FP8_TO(unsigned long, unsigned long)                                                                 \
        TILESCOPE_FP8_TO(long long, long long)                                                                         \
        TILESCOPE_FP8_TO(unsigned long long, unsigned long long)                                                       \
        TILESCOPE_FP8_MEMBER operator bool() const { return (__x & 0x7f) != 0; }                                       \
    };                                                                                                                 \
    struct __align__(2) __nv_fp8x2_##name {                                                                            \
        __nv_fp8x2_storage_t __x;                                                                                      \
        __nv_fp8x2_##name() = default;                                                                                 \
        TILESCOPE_FP8_MEMBER __nv_fp8x2_##name(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}   \
        TILESCOPE_FP8_MEMBER __nv_fp8x2_##name(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {} \
        TILESCOPE_FP8_MEMBER __nv_fp8x2_##name(__half2 x) : __nv_fp8x2_##name(__half22float2(x)) {}                    \
        TILESCOPE_FP8_MEMBER __nv_fp8x2_##name(__nv_bfloat162 x) : __nv_fp8x2_##name(__bfloat1622float2(x)) {}         \
        TILESCOPE_FP8_MEMBER operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind)); }       \
        TILESCOPE_FP8_MEMBER operator float2() const { return __half22float2((__half2) * this); }                      \
    };                                                                                                                 \
    struct __align__(4) __nv_fp8x4_##name {                                                                            \
        __nv_fp8x4_storage_t __x;                                                                                      \
        __nv_fp8x4_##name() = default;                                                                                 \
        __host__ __device__ __nv_fp8x4_##name(__nv_fp8x2_##name low, __nv_fp8x2_##name high)                           \
            : __x(low.__x | (unsigned)high.__x << 16) {}                                                               \
        TILESCOPE_FP8_MEMBER __nv_fp8x4_##name(float4 x)                                                               \
            : __nv_fp8x4_##name(__nv_fp8x2_##name(make_float2(x.x, x.y)), __nv_fp8x2_##name(make_float2(x.z, x.w))) {} \
        TILESCOPE_FP8_MEMBER __nv_fp8x4_##name(double4 x)                                                              \
            : __nv_fp8x4_##name(__nv_fp8x2_##name(make_double2(x.x, x.y)),                                             \
                                __nv_fp8x2_##name(make_double2(x.z, x.w))) {}                                          \
        TILESCOPE_FP8_MEMBER __nv_fp8x4_##name(__half2 low, __half2 high)                                              \
            : __nv_fp8x4_##name(__nv_fp8x2_##name(low), __nv_fp8x2_##name(high)) {}                                    \
        TILESCOPE_FP8_MEMBER __nv_fp8x4_##name(__nv_bfloat162 low, __nv_bfloat162 high)                                \
            : __nv_fp8x4_##name(__nv_fp8x2_##name(low), __nv_fp8x2_##name(high)) {}                                    \
        TILESCOPE_FP8_MEMBER operator float4() const {                                                                 \
            __nv_fp8x2_##name low, high;                                                                               \
            low.__x = (__nv_fp8x2_storage_t)__x;                                                                       \
            high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                              \
            const float2 a = (float2)low, b = (float2)high;                                                            \
            return make_float4(a.x, a.y, b.x, b.y);                                                                    \
        }                                                                                                              \
    };
TILESCOPE_FP8_TYPES(e4m3, __NV_E4M3)
TILESCOPE_FP8_TYPES(e5m2, __NV_E5M2)
#undef TILESCOPE_FP8_TYPES
#undef TILESCOPE_FP8_TO
#undef TILESCOPE_FP8_FROM
#undef TILESCOPE_FP8_MEMBER
#include "tilescope/fp8_e8m0.h"
#undef TILESCOPE_FP8
