// The overloads for float of <cmath>'s names that clang's own headers declare for device code and leave to a CUDA
// toolkit to define, and pow, which they define as a repeated product where CUDA and C++ mean pow.
#pragma once

#define TILESCOPE_DEVICE static __inline__ __attribute__((device, always_inline))

#define TILESCOPE_FLOAT1(result, name) \
    TILESCOPE_DEVICE result name(float x) { return name##f(x); }
#define TILESCOPE_FLOAT2(name) \
    TILESCOPE_DEVICE float name(float x, float y) { return name##f(x, y); }

TILESCOPE_FLOAT1(float, acosh)
TILESCOPE_FLOAT1(float, asinh)
TILESCOPE_FLOAT1(float, atanh)
TILESCOPE_FLOAT1(float, cbrt)
TILESCOPE_FLOAT1(float, erf)
TILESCOPE_FLOAT1(float, erfc)
TILESCOPE_FLOAT1(float, exp2)
TILESCOPE_FLOAT1(float, expm1)
TILESCOPE_FLOAT1(float, lgamma)
TILESCOPE_FLOAT1(float, log1p)
TILESCOPE_FLOAT1(float, log2)
TILESCOPE_FLOAT1(float, logb)
TILESCOPE_FLOAT1(float, nearbyint)
TILESCOPE_FLOAT1(float, rint)
TILESCOPE_FLOAT1(float, round)
TILESCOPE_FLOAT1(float, tgamma)
TILESCOPE_FLOAT1(float, trunc)
TILESCOPE_FLOAT1(int, ilogb)
TILESCOPE_FLOAT1(long, lrint)
TILESCOPE_FLOAT1(long, lround)
TILESCOPE_FLOAT1(long long, llrint)
TILESCOPE_FLOAT1(long long, llround)
TILESCOPE_FLOAT2(copysign)
TILESCOPE_FLOAT2(fdim)
TILESCOPE_FLOAT2(fmax)
TILESCOPE_FLOAT2(fmin)
TILESCOPE_FLOAT2(hypot)
TILESCOPE_FLOAT2(nextafter)
TILESCOPE_FLOAT2(remainder)
TILESCOPE_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
TILESCOPE_DEVICE float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
TILESCOPE_DEVICE float scalbn(float x, int exponent) { return scalbnf(x, exponent); }
TILESCOPE_DEVICE float scalbln(float x, long exponent) { return scalblnf(x, exponent); }
TILESCOPE_DEVICE double nan(const char* tag) { return __nv_nan(reinterpret_cast<const signed char*>(tag)); }
TILESCOPE_DEVICE float nanf(const char* tag) { return __nv_nanf(reinterpret_cast<const signed char*>(tag)); }

// Whatever is not two floats is computed in double, integers too.
TILESCOPE_DEVICE float pow(float x, float y) { return powf(x, y); }

// Only CUDA has these.
TILESCOPE_FLOAT1(float, cyl_bessel_i0)
TILESCOPE_FLOAT1(float, cyl_bessel_i1)
TILESCOPE_FLOAT1(float, j0)
TILESCOPE_FLOAT1(float, j1)
TILESCOPE_FLOAT1(float, y0)
TILESCOPE_FLOAT1(float, y1)
TILESCOPE_DEVICE float jn(int order, float x) { return jnf(order, x); }
TILESCOPE_DEVICE int __signbit(double x) { return __nv_signbitd(x); }
TILESCOPE_DEVICE float yn(int order, float x) { return ynf(order, x); }

#undef TILESCOPE_FLOAT1
#undef TILESCOPE_FLOAT2
#undef TILESCOPE_DEVICE
