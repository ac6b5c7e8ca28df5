// Complex numbers of two floats or doubles, as structures and functions, on both sides.
//
// Guarantees: quotients and absolute values are scaled, so that no intermediate result overflows.
#pragma once

#include "cuda_runtime.h"
#include "vector_functions.h"

#include <math.h>

#define TILESCOPE_COMPLEX static __inline__ __host__ __device__

// One type's functions: `one` is the element, `f` what ends the names.
#define TILESCOPE_COMPLEX_OF(Complex, one, f, real, imaginary, conjugate, suffix)                              \
    TILESCOPE_COMPLEX one real(Complex x) { return x.x; }                                                      \
    TILESCOPE_COMPLEX one imaginary(Complex x) { return x.y; }                                                 \
    TILESCOPE_COMPLEX Complex make_##Complex(one re, one im) {                                                 \
        Complex made;                                                                                          \
        made.x = re;                                                                                           \
        made.y = im;                                                                                           \
        return made;                                                                                           \
    }                                                                                                          \
    TILESCOPE_COMPLEX Complex conjugate(Complex x) { return make_##Complex(x.x, -x.y); }                       \
    TILESCOPE_COMPLEX Complex cuCadd##f(Complex x, Complex y) { return make_##Complex(x.x + y.x, x.y + y.y); } \
    TILESCOPE_COMPLEX Complex cuCsub##f(Complex x, Complex y) { return make_##Complex(x.x - y.x, x.y - y.y); } \
    TILESCOPE_COMPLEX Complex cuCmul##f(Complex x, Complex y) {                                                \
        return make_##Complex(TILESCOPE_COMPLEX_LESS(suffix(fma), x.x, y.x, x.y * y.y),                        \
                              TILESCOPE_COMPLEX_PLUS(suffix(fma), x.x, y.y, x.y * y.x));                       \
    }                                                                                                          \
    TILESCOPE_COMPLEX Complex cuCdiv##f(Complex x, Complex y) {                                                \
        const one scale = 1 / (suffix(fabs)(y.x) + suffix(fabs)(y.y));                                         \
        const one a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;                          \
        const one over = 1 / (c * c + d * d);                                                                  \
        return make_##Complex((a * c + b * d) * over, (b * c - a * d) * over);                                 \
    }                                                                                                          \
    TILESCOPE_COMPLEX one cuCabs##f(Complex x) {                                                               \
        const one a = suffix(fabs)(x.x), b = suffix(fabs)(x.y), large = a > b ? a : b, small = a > b ? b : a;  \
        const one ratio = small / large;                                                                       \
        if (large == 0 || large > suffix(TILESCOPE_COMPLEX_MAX) || small > suffix(TILESCOPE_COMPLEX_MAX))      \
            return large + small;                                                                              \
        return large * suffix(sqrt)(1 + ratio * ratio);                                                        \
    }
// Products that device code fuses, as nvcc and the assembler behind it do.
#if defined(__CUDA_ARCH__)
#define TILESCOPE_COMPLEX_LESS(fma, a, b, less) fma(a, b, -(less))
#define TILESCOPE_COMPLEX_PLUS(fma, a, b, to) fma(a, b, to)
#else
#define TILESCOPE_COMPLEX_LESS(fma, a, b, less) ((a) * (b) - (less))
#define TILESCOPE_COMPLEX_PLUS(fma, a, b, to) ((a) * (b) + (to))
#endif
#define TILESCOPE_COMPLEX_MAX 1.79769313486231570e+308
#define TILESCOPE_COMPLEX_MAXf 3.402823466e38f
#define TILESCOPE_COMPLEX_SINGLE(name) name##f
#define TILESCOPE_COMPLEX_DOUBLE(name) name

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
TILESCOPE_COMPLEX_OF(cuFloatComplex, float, f, cuCrealf, cuCimagf, cuConjf, TILESCOPE_COMPLEX_SINGLE)
TILESCOPE_COMPLEX_OF(cuDoubleComplex, double, , cuCreal, cuCimag, cuConj, TILESCOPE_COMPLEX_DOUBLE)

TILESCOPE_COMPLEX cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
TILESCOPE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return make_cuDoubleComplex(x.x, x.y); }
TILESCOPE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return make_cuFloatComplex((float)x.x, (float)x.y);
}
// x * y + z.
#define TILESCOPE_COMPLEX_FMA(name, Complex, one)                     \
    TILESCOPE_COMPLEX Complex name(Complex x, Complex y, Complex z) { \
        const one re = x.x * y.x + z.x, im = x.x * y.y + z.y;         \
        return make_##Complex(re - x.y * y.y, im + x.y * y.x);        \
    }
TILESCOPE_COMPLEX_FMA(cuCfmaf, cuFloatComplex, float)
TILESCOPE_COMPLEX_FMA(cuCfma, cuDoubleComplex, double)

#undef TILESCOPE_COMPLEX_FMA
#undef TILESCOPE_COMPLEX_LESS
#undef TILESCOPE_COMPLEX_PLUS
#undef TILESCOPE_COMPLEX_DOUBLE
#undef TILESCOPE_COMPLEX_SINGLE
#undef TILESCOPE_COMPLEX_MAXf
#undef TILESCOPE_COMPLEX_MAX
#undef TILESCOPE_COMPLEX_OF
#undef TILESCOPE_COMPLEX
