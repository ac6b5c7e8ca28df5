// Powers of two in 8 bits, e8m0, which scale blocks of numbers: from 2^-127 to 2^127, no sign, no zero, one that is no
// number. Part of cuda_fp8.h.
#pragma once

#include "../device_types.h"

// By the size alone. Rounded up (cudaRoundPosInf) or down (cudaRoundZero, and any other mode); too small is the
// smallest, too large the greatest (__NV_SATFINITE) or no number.
TILESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate, cudaRoundMode mode) {
    if (x != x) return 0xff;
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
    const unsigned long long fraction = bits & 0xfffffffffffffull;
    const int exponent = (int)(bits >> 52 & 2047) - 1023 + 127;
    // Below the smallest there is nothing to round up from.
    const int code = exponent < 0 ? 0 : exponent + (mode == cudaRoundPosInf && fraction != 0 ? 1 : 0);
    if (code > 254) return saturate == __NV_SATFINITE ? 0xfe : 0xff;
    return (__nv_fp8_storage_t)code;
}
TILESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate, cudaRoundMode mode) {
    return __nv_cvt_double_to_e8m0(x, saturate, mode);
}
TILESCOPE_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                              cudaRoundMode mode) {
    return __nv_cvt_float_to_e8m0(__bfloat162float(__nv_bfloat16(x)), saturate, mode);
}
TILESCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturate,
                                                              cudaRoundMode mode) {
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_e8m0(x.x, saturate, mode) |
                                  __nv_cvt_double_to_e8m0(x.y, saturate, mode) << 8);
}
TILESCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturate, cudaRoundMode mode) {
    return __nv_cvt_double2_to_e8m0x2(make_double2(x.x, x.y), saturate, mode);
}
TILESCOPE_FP8 __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                                   cudaRoundMode mode) {
    return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(__nv_bfloat162(x)), saturate, mode);
}
// Integers are taken exactly, rounded up.
TILESCOPE_FP8 __nv_fp8_storage_t __tilescope_e8m0_of_integer(unsigned long long size) {
    if (size == 0) return 0;
    const int exponent = 63 - __builtin_clzll(size);
    return (__nv_fp8_storage_t)(127 + exponent + ((size & (size - 1)) != 0 ? 1 : 0));
}
// To bfloat16, whose exponent this is: exact.
TILESCOPE_FP8 __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
    return __nv_bfloat16_raw{(unsigned short)(x == 0 ? 0x40 : x == 0xff ? 0x7fff : x << 7)};
}
TILESCOPE_FP8 __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
    return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x,
                              __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}
// To an integer of so many digits: too large is the greatest, and no number is what the device's conversion makes of
// it.
TILESCOPE_FP8 unsigned long long __tilescope_e8m0_integer(__nv_fp8_storage_t x, int digits) {
    if (x == 0xff) return digits > 32 ? 1ull << 63 : 0;
    if (x < 127) return 0;
    return x - 127 < digits ? 1ull << (x - 127) : ~0ull >> (64 - digits);
}

#define TILESCOPE_E8M0_MEMBER __host__ __device__ explicit
#define TILESCOPE_E8M0_FROM(from)               \
    TILESCOPE_E8M0_MEMBER __nv_fp8_e8m0(from x) \
        : __x(__nv_cvt_float_to_e8m0((float)x, __NV_SATFINITE, cudaRoundPosInf)) {}
#define TILESCOPE_E8M0_OF(from, size) \
    TILESCOPE_E8M0_MEMBER __nv_fp8_e8m0(from x) : __x(__tilescope_e8m0_of_integer(size)) {}
#define TILESCOPE_E8M0_TO(to, digits) \
    TILESCOPE_E8M0_MEMBER operator to() const { return (to)__tilescope_e8m0_integer(__x, digits); }
struct __align__(1) __nv_fp8_e8m0 {
    __nv_fp8_storage_t __x;
    __nv_fp8_e8m0() = default;
    TILESCOPE_E8M0_FROM(__half)
    TILESCOPE_E8M0_FROM(__nv_bfloat16)
    TILESCOPE_E8M0_FROM(float)
    TILESCOPE_E8M0_OF(short, x < 0 ? 0ull - (unsigned long long)x : (unsigned long long)x)
    TILESCOPE_E8M0_OF(unsigned short, x)
    TILESCOPE_E8M0_OF(int, x < 0 ? 0ull - (unsigned long long)x : (unsigned long long)x)
    TILESCOPE_E8M0_OF(unsigned int, x)
    TILESCOPE_E8M0_OF(long, x < 0 ? 0ull - (unsigned long long)x : (unsigned long long)x)
    TILESCOPE_E8M0_OF(unsigned long, x)
    TILESCOPE_E8M0_OF(long long, x < 0 ? 0ull - (unsigned long long)x : (unsigned long long)x)
    TILESCOPE_E8M0_OF(unsigned long long, x)
    TILESCOPE_E8M0_MEMBER __nv_fp8_e8m0(double x) : __x(__nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)) {}
    TILESCOPE_E8M0_MEMBER operator __nv_bfloat16() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
    TILESCOPE_E8M0_MEMBER operator float() const { return __bfloat162float((__nv_bfloat16) * this); }
    TILESCOPE_E8M0_MEMBER operator double() const { return (float)*this; }
    TILESCOPE_E8M0_MEMBER operator __half() const { return __float2half((float)*this); }
    TILESCOPE_E8M0_TO(char, 7)
    TILESCOPE_E8M0_TO(signed char, 7)
    TILESCOPE_E8M0_TO(unsigned char, 8)
    TILESCOPE_E8M0_TO(short, 15)
    TILESCOPE_E8M0_TO(unsigned short, 16)
    TILESCOPE_E8M0_TO(int, 31)
    TILESCOPE_E8M0_TO(unsigned int, 32)
    TILESCOPE_E8M0_TO(long, 63)
    TILESCOPE_E8M0_TO(unsigned long, 64)
    TILESCOPE_E8M0_TO(long long, 63)
    TILESCOPE_E8M0_TO(unsigned long long, 64)
    TILESCOPE_E8M0_MEMBER operator bool() const { return true; }
};
#undef TILESCOPE_E8M0_TO
#undef TILESCOPE_E8M0_OF
#undef TILESCOPE_E8M0_FROM

struct __align__(2) __nv_fp8x2_e8m0 {
    __nv_fp8x2_storage_t __x;
    __nv_fp8x2_e8m0() = default;
    TILESCOPE_E8M0_MEMBER __nv_fp8x2_e8m0(float2 x)
        : __x(__nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
    TILESCOPE_E8M0_MEMBER __nv_fp8x2_e8m0(double2 x)
        : __x(__nv_cvt_double2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
    TILESCOPE_E8M0_MEMBER __nv_fp8x2_e8m0(__half2 x) : __nv_fp8x2_e8m0(__half22float2(x)) {}
    TILESCOPE_E8M0_MEMBER __nv_fp8x2_e8m0(__nv_bfloat162 x) : __nv_fp8x2_e8m0(__bfloat1622float2(x)) {}
    TILESCOPE_E8M0_MEMBER operator __nv_bfloat162() const { return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x)); }
    TILESCOPE_E8M0_MEMBER operator float2() const { return __bfloat1622float2((__nv_bfloat162) * this); }
    TILESCOPE_E8M0_MEMBER operator __half2() const {
        const float2 x = (float2) * this;
        return __floats2half2_rn(x.x, x.y);
    }
};
struct __align__(4) __nv_fp8x4_e8m0 {
    __nv_fp8x4_storage_t __x;
    __nv_fp8x4_e8m0() = default;
    __host__ __device__ __nv_fp8x4_e8m0(__nv_fp8x2_e8m0 low, __nv_fp8x2_e8m0 high)
        : __x(low.__x | (unsigned)high.__x << 16) {}
    TILESCOPE_E8M0_MEMBER __nv_fp8x4_e8m0(float4 x)
        : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(make_float2(x.x, x.y)), __nv_fp8x2_e8m0(make_float2(x.z, x.w))) {}
    TILESCOPE_E8M0_MEMBER __nv_fp8x4_e8m0(double4 x)
        : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(make_double2(x.x, x.y)), __nv_fp8x2_e8m0(make_double2(x.z, x.w))) {}
    TILESCOPE_E8M0_MEMBER __nv_fp8x4_e8m0(__half2 low, __half2 high)
        : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high)) {}
    TILESCOPE_E8M0_MEMBER __nv_fp8x4_e8m0(__nv_bfloat162 low, __nv_bfloat162 high)
        : __nv_fp8x4_e8m0(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high)) {}
    TILESCOPE_E8M0_MEMBER operator float4() const {
        __nv_fp8x2_e8m0 low, high;
        low.__x = (__nv_fp8x2_storage_t)__x;
        high.__x = (__nv_fp8x2_storage_t)(__x >> 16);
        const float2 a = (float2)low, b = (float2)high;
        return make_float4(a.x, a.y, b.x, b.y);
    }
};
#undef TILESCOPE_E8M0_MEMBER
