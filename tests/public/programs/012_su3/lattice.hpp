// Sites of a lattice: four 3 x 3 matrices of complex numbers each.
#pragma once
#if PRECISION == 1
typedef float Real;
#else
typedef double Real;
#endif
typedef struct {
    Real real, imag;
} Complx;
typedef struct {
    Complx e[3][3];
} su3_matrix;
typedef struct {
    su3_matrix link[4];
    int x, y;
    short parity;
} site __attribute__((aligned(64)));
#define CMULSUM(a, b, c)                                       \
    {                                                          \
        (c).real += (a).real * (b).real - (a).imag * (b).imag; \
        (c).imag += (a).real * (b).imag + (a).imag * (b).real; \
    }
