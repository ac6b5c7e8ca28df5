// The floating-point functions of libdevice that nvcc turns into an instruction or a few: roundings to integers, square
// roots, minima, the fast approximations; and those that would pass results through memory, split so that they do not.
//
// Uses TILESCOPE_NV of libdevice_arithmetic.h, and ends it.
#pragma once

#define TILESCOPE_NV_BOTH1(name)                                             \
    TILESCOPE_NV(float, name##f, float x) { return __builtin_##name##f(x); } \
    TILESCOPE_NV(double, name, double x) { return __builtin_##name(x); }
#define TILESCOPE_NV_BOTH2(name)                                                         \
    TILESCOPE_NV(float, name##f, float x, float y) { return __builtin_##name##f(x, y); } \
    TILESCOPE_NV(double, name, double x, double y) { return __builtin_##name(x, y); }

TILESCOPE_NV_BOTH1(fabs)
TILESCOPE_NV_BOTH1(floor)
TILESCOPE_NV_BOTH1(ceil)
TILESCOPE_NV_BOTH1(trunc)
TILESCOPE_NV_BOTH1(rint)
TILESCOPE_NV_BOTH1(nearbyint)
TILESCOPE_NV_BOTH1(round)
TILESCOPE_NV_BOTH2(fmin)
TILESCOPE_NV_BOTH2(fmax)
TILESCOPE_NV_BOTH2(copysign)
#ifdef TILESCOPE_APPROXIMATE_ROOTS
TILESCOPE_NV(float, sqrtf, float x) { return TILESCOPE_NVVM_F(sqrt_approx)(x); }
#else
TILESCOPE_NV(float, sqrtf, float x) { return TILESCOPE_NVVM_F(sqrt_rn)(x); }
#endif
TILESCOPE_NV(double, sqrt, double x) { return __nvvm_sqrt_rn_d(x); }
TILESCOPE_NV(float, rsqrtf, float x) { return TILESCOPE_NVVM_F(rsqrt_approx)(x); }
TILESCOPE_NV(double, rsqrt, double x) { return __nvvm_rsqrt_approx_d(x); }
TILESCOPE_NV(float, fmaf, float x, float y, float z) { return __builtin_fmaf(x, y, z); }
TILESCOPE_NV(double, fma, double x, double y, double z) { return __builtin_fma(x, y, z); }
TILESCOPE_NV(float, fdimf, float x, float y) { return x <= y ? 0.0f : x - y; }
TILESCOPE_NV(double, fdim, double x, double y) { return x <= y ? 0.0 : x - y; }
TILESCOPE_NV(float, saturatef, float x) { return TILESCOPE_NVVM_F(saturate)(x); }
TILESCOPE_NV(float, exp2f, float x) { return TILESCOPE_NVVM_F(ex2_approx)(x); }
TILESCOPE_NV(long long, llrintf, float x) { return __nv_float2ll_rn(x); }
TILESCOPE_NV(long long, llrint, double x) { return __nv_double2ll_rn(x); }
TILESCOPE_NV(long long, llroundf, float x) { return __nv_float2ll_rz(__builtin_roundf(x)); }
TILESCOPE_NV(long long, llround, double x) { return __nv_double2ll_rz(__builtin_round(x)); }
TILESCOPE_NV(float, nanf, const signed char*) { return __builtin_bit_cast(float, 0x7fffffff); }
TILESCOPE_NV(double, nan, const signed char*) { return __builtin_bit_cast(double, 0x7fffffffffffffffll); }

// Which kind of number.
TILESCOPE_NV(int, isnanf, float x) { return x != x; }
TILESCOPE_NV(int, isnand, double x) { return x != x; }
TILESCOPE_NV(int, isinff, float x) { return __builtin_fabsf(x) == __builtin_inff(); }
TILESCOPE_NV(int, isinfd, double x) { return __builtin_fabs(x) == __builtin_inf(); }
TILESCOPE_NV(int, finitef, float x) { return __builtin_fabsf(x) < __builtin_inff(); }
TILESCOPE_NV(int, isfinited, double x) { return __builtin_fabs(x) < __builtin_inf(); }
TILESCOPE_NV(int, signbitf, float x) { return __builtin_bit_cast(unsigned int, x) >> 31; }
TILESCOPE_NV(int, signbitd, double x) { return static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 63); }

// The intrinsics whose speed is bought with accuracy: the special function unit's own answers.
TILESCOPE_NV(float, fast_sinf, float x) { return TILESCOPE_NVVM_F(sin_approx)(x); }
TILESCOPE_NV(float, fast_cosf, float x) { return TILESCOPE_NVVM_F(cos_approx)(x); }
TILESCOPE_NV(float, fast_fdividef, float x, float y) { return TILESCOPE_NVVM_F(div_approx)(x, y); }
TILESCOPE_NV(float, fast_tanf, float x) {
    return TILESCOPE_NVVM_F(div_approx)(TILESCOPE_NVVM_F(sin_approx)(x), TILESCOPE_NVVM_F(cos_approx)(x));
}
TILESCOPE_NV(float, fast_log2f, float x) { return TILESCOPE_NVVM_F(lg2_approx)(x); }
TILESCOPE_NV(float, fast_logf, float x) { return TILESCOPE_NVVM_F(lg2_approx)(x) * 0x1.62e43p-1f; }
TILESCOPE_NV(float, fast_log10f, float x) { return TILESCOPE_NVVM_F(lg2_approx)(x) * 0x1.344136p-2f; }
TILESCOPE_NV(float, fast_expf, float x) { return TILESCOPE_NVVM_F(ex2_approx)(x * 0x1.715476p+0f); }
TILESCOPE_NV(float, fast_exp10f, float x) { return TILESCOPE_NVVM_F(ex2_approx)(x * 0x1.a934fp+1f); }
TILESCOPE_NV(float, fast_powf, float x, float y) {
    return TILESCOPE_NVVM_F(ex2_approx)(y * TILESCOPE_NVVM_F(lg2_approx)(x));
}
TILESCOPE_NV(void, fast_sincosf, float x, float* sine, float* cosine) {
    *sine = TILESCOPE_NVVM_F(sin_approx)(x);
    *cosine = TILESCOPE_NVVM_F(cos_approx)(x);
}

// Powers of e and of 10 as nvcc computes them, to the bit: 2^(k+f), where k is the exponent's integer and f, in two
// steps after Cody and Waite, goes to the special function unit. k comes out of the low bits of a sum with 1.5 * 2^23:
// scaled to [0, 1] and saturated first, so that no argument leads out of the exponents that a float has.
#define TILESCOPE_NV_POWER(name, log2_scaled, log2_high, log2_low)                                            \
    TILESCOPE_NV(float, name, float x) {                                                                      \
        constexpr float kExponents = 252, kMagic = 0x1.8p23f;                                                 \
        const float scaled = TILESCOPE_NVVM_F(saturate)(__builtin_fmaf(x, log2_scaled, 0.5f));                \
        const float sum = TILESCOPE_NVVM_F(fma_rm)(scaled, kExponents, kMagic + 1);                           \
        const float whole = sum - (kMagic + 127);                                                             \
        const float rest = __builtin_fmaf(x, log2_low, __builtin_fmaf(x, log2_high, -whole));                 \
        return __nvvm_ex2_approx_ftz_f(rest) * __builtin_bit_cast(float, __builtin_bit_cast(int, sum) << 23); \
    }
#ifndef TILESCOPE_FAST_MATH
TILESCOPE_NV_POWER(expf, 0x1.77313ap-8f, 0x1.715476p+0f, 0x1.4ae0cp-26f)
TILESCOPE_NV_POWER(exp10f, 0x1.aff4c4p-7f, 0x1.a934fp+1f, 0x1.2f346ep-24f)
#endif
#undef TILESCOPE_NV_POWER

// -use_fast_math: these names mean the special function unit's answers.
#ifdef TILESCOPE_FAST_MATH
TILESCOPE_NV(float, sinf, float x) { return __nv_fast_sinf(x); }
TILESCOPE_NV(float, cosf, float x) { return __nv_fast_cosf(x); }
TILESCOPE_NV(float, tanf, float x) { return __nv_fast_tanf(x); }
TILESCOPE_NV(float, logf, float x) { return __nv_fast_logf(x); }
TILESCOPE_NV(float, log2f, float x) { return __nv_fast_log2f(x); }
TILESCOPE_NV(float, log10f, float x) { return __nv_fast_log10f(x); }
TILESCOPE_NV(float, expf, float x) { return __nv_fast_expf(x); }
TILESCOPE_NV(float, exp10f, float x) { return __nv_fast_exp10f(x); }
TILESCOPE_NV(float, powf, float x, float y) { return __nv_fast_powf(x, y); }
#if __CUDA_ARCH__ >= 750
TILESCOPE_NV(float, tanhf, float x) {
    float result;
    asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}
#endif
#endif

// Two results: through the machine's functions of one result, so that no address is passed and nothing spills.
#define TILESCOPE_NV_SINCOS(type, name, sine_of, cosine_of)      \
    TILESCOPE_NV(void, name, type x, type* sine, type* cosine) { \
        *sine = __nv_##sine_of(x);                               \
        *cosine = __nv_##cosine_of(x);                           \
    }
TILESCOPE_NV_SINCOS(float, sincosf, sinf, cosf)
TILESCOPE_NV_SINCOS(double, sincos, sin, cos)
TILESCOPE_NV_SINCOS(float, sincospif, sinpif, cospif)
TILESCOPE_NV_SINCOS(double, sincospi, sinpi, cospi)
TILESCOPE_NV(float, modff, float x, float* whole) {
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(__nv_isinff(x) ? 0.0f : x - *whole, x);
}
TILESCOPE_NV(double, modf, double x, double* whole) {
    *whole = __builtin_trunc(x);
    return __builtin_copysign(__nv_isinfd(x) ? 0.0 : x - *whole, x);
}
// A number and the power of two that it was scaled by: subnormals are first brought into range.
TILESCOPE_NV(float, frexpf, float x, int* exponent) {
    const bool plain = x != 0.0f && __nv_finitef(x);
    const bool tiny = __builtin_fabsf(x) < 0x1p-126f;
    const int bits = __builtin_bit_cast(int, tiny ? x * 0x1p25f : x);
    *exponent = plain ? ((bits >> 23) & 255) - 126 - (tiny ? 25 : 0) : 0;
    return plain ? __builtin_bit_cast(float, (bits & static_cast<int>(0x807fffffu)) | 0x3f000000) : x;
}
TILESCOPE_NV(double, frexp, double x, int* exponent) {
    const bool plain = x != 0.0 && __nv_isfinited(x);
    const bool tiny = __builtin_fabs(x) < 0x1p-1022;
    const long long bits = __builtin_bit_cast(long long, tiny ? x * 0x1p54 : x);
    *exponent = plain ? static_cast<int>((bits >> 52) & 2047) - 1022 - (tiny ? 54 : 0) : 0;
    return plain ? __builtin_bit_cast(double,
                                      (bits & static_cast<long long>(0x800fffffffffffffull)) | 0x3fe0000000000000ll)
                 : x;
}

// The remainder, and the quotient's sign and low three bits, which reducing by eight divisors first leaves exact.
#define TILESCOPE_NV_REMQUO(type, suffix, large)                                                \
    TILESCOPE_NV(type, remquo##suffix, type x, type y, int* quotient) {                         \
        const type near = __nv_fabs##suffix(y) < large ? __nv_fmod##suffix(x, 8 * y) : x;       \
        const int whole = (int)__nv_rint##suffix((near - __nv_remainder##suffix(near, y)) / y); \
        *quotient = whole < 0 ? -(-whole & 7) : whole & 7;                                      \
        return __nv_remainder##suffix(x, y);                                                    \
    }
TILESCOPE_NV_REMQUO(float, f, 0x1p124f)
TILESCOPE_NV_REMQUO(double, , 0x1p1020)

// The length of a vector in memory, one element at a time so that no square overflows.
#define TILESCOPE_NV_NORM(type, suffix)                                               \
    TILESCOPE_NV(type, norm##suffix, int n, const type* elements) {                   \
        type length = 0;                                                              \
        for (int i = 0; i < n; ++i) length = __nv_hypot##suffix(length, elements[i]); \
        return length;                                                                \
    }                                                                                 \
    TILESCOPE_NV(type, rnorm##suffix, int n, const type* elements) { return 1 / __nv_norm##suffix(n, elements); }
TILESCOPE_NV_NORM(float, f)
TILESCOPE_NV_NORM(double, )

#undef TILESCOPE_NV_NORM
#undef TILESCOPE_NV_REMQUO
#undef TILESCOPE_NV_SINCOS
#undef TILESCOPE_NV_BOTH1
#undef TILESCOPE_NV_BOTH2
#undef TILESCOPE_NVVM_F
#undef TILESCOPE_NVVM_D
#undef TILESCOPE_NVVM_IEEE
#undef TILESCOPE_FTZ
#undef TILESCOPE_NV
