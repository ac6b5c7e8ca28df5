// min and max as CUDA overloads them, on both sides; and CUDA's own mathematical functions for host code.
#pragma once

#define TILESCOPE_HOST static __inline__ __attribute__((host))
#define TILESCOPE_DEVICE static __inline__ __attribute__((device, always_inline))
#define TILESCOPE_EITHER static __inline__ __attribute__((host, device, always_inline))

TILESCOPE_HOST int min(int x, int y) { return x < y ? x : y; }
TILESCOPE_HOST int max(int x, int y) { return x > y ? x : y; }

// Two types and the one in which CUDA compares them.
#define TILESCOPE_EXTREMES(left, right, common)                                                            \
    TILESCOPE_EITHER common min(left x, right y) { return (common)x < (common)y ? (common)x : (common)y; } \
    TILESCOPE_EITHER common max(left x, right y) { return (common)x > (common)y ? (common)x : (common)y; }
TILESCOPE_EXTREMES(unsigned int, unsigned int, unsigned int)
TILESCOPE_EXTREMES(int, unsigned int, unsigned int)
TILESCOPE_EXTREMES(unsigned int, int, unsigned int)
TILESCOPE_EXTREMES(long, long, long)
TILESCOPE_EXTREMES(unsigned long, unsigned long, unsigned long)
TILESCOPE_EXTREMES(long, unsigned long, unsigned long)
TILESCOPE_EXTREMES(unsigned long, long, unsigned long)
TILESCOPE_EXTREMES(long long, long long, long long)
TILESCOPE_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
TILESCOPE_EXTREMES(long long, unsigned long long, unsigned long long)
TILESCOPE_EXTREMES(unsigned long long, long long, unsigned long long)

// Of floating-point numbers the one that is a number wins.
#define TILESCOPE_FLOAT_EXTREMES(left, right, common, suffix)                                             \
    TILESCOPE_EITHER common min(left x, right y) { return __builtin_fmin##suffix((common)x, (common)y); } \
    TILESCOPE_EITHER common max(left x, right y) { return __builtin_fmax##suffix((common)x, (common)y); }
TILESCOPE_FLOAT_EXTREMES(float, float, float, f)
TILESCOPE_FLOAT_EXTREMES(double, double, double, )
TILESCOPE_FLOAT_EXTREMES(float, double, double, )
TILESCOPE_FLOAT_EXTREMES(double, float, double, )

TILESCOPE_HOST unsigned int umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
TILESCOPE_HOST unsigned int umax(unsigned int x, unsigned int y) { return x > y ? x : y; }
TILESCOPE_HOST long long llmin(long long x, long long y) { return x < y ? x : y; }
TILESCOPE_HOST long long llmax(long long x, long long y) { return x > y ? x : y; }
TILESCOPE_HOST unsigned long long ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
TILESCOPE_HOST unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }
TILESCOPE_HOST float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
TILESCOPE_HOST double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
TILESCOPE_HOST float rcbrtf(float x) { return 1.0f / __builtin_cbrtf(x); }
TILESCOPE_HOST double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }
TILESCOPE_HOST float rhypotf(float x, float y) { return 1.0f / __builtin_hypotf(x, y); }
TILESCOPE_HOST double rhypot(double x, double y) { return 1.0 / __builtin_hypot(x, y); }
TILESCOPE_HOST float fdividef(float x, float y) { return x / y; }
TILESCOPE_HOST double fdivide(double x, double y) { return x / y; }

// Overloads for float of the functions that only CUDA has; the standard's are in clang's own headers.
TILESCOPE_DEVICE float rsqrt(float x) { return rsqrtf(x); }
TILESCOPE_HOST float rsqrt(float x) { return rsqrtf(x); }
TILESCOPE_DEVICE float rcbrt(float x) { return rcbrtf(x); }
TILESCOPE_DEVICE float sinpi(float x) { return sinpif(x); }
TILESCOPE_DEVICE float cospi(float x) { return cospif(x); }
TILESCOPE_DEVICE void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
TILESCOPE_DEVICE void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
TILESCOPE_DEVICE float erfcinv(float x) { return erfcinvf(x); }
TILESCOPE_DEVICE float erfinv(float x) { return erfinvf(x); }
TILESCOPE_DEVICE float erfcx(float x) { return erfcxf(x); }
TILESCOPE_DEVICE float normcdf(float x) { return normcdff(x); }
TILESCOPE_DEVICE float normcdfinv(float x) { return normcdfinvf(x); }
TILESCOPE_DEVICE float exp10(float x) { return exp10f(x); }
TILESCOPE_DEVICE float fdivide(float x, float y) { return fdividef(x, y); }
TILESCOPE_DEVICE float norm3d(float x, float y, float z) { return norm3df(x, y, z); }
TILESCOPE_DEVICE float rhypot(float x, float y) { return rhypotf(x, y); }

#undef TILESCOPE_FLOAT_EXTREMES
#undef TILESCOPE_EXTREMES
#undef TILESCOPE_EITHER
#undef TILESCOPE_DEVICE
#undef TILESCOPE_HOST
