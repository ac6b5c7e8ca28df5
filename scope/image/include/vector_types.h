// char1 to double4 and dim3: the names, fields and alignments that CUDA programs and kernels share.
#pragma once

// Libraries ask whether the toolkit's header has been read by its guard.
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define TILESCOPE_VECTORS(name, element, align1, align2, align4) \
    struct __align__(align1) name##1 {                           \
        element x;                                               \
    };                                                           \
    struct __align__(align2) name##2 {                           \
        element x, y;                                            \
    };                                                           \
    struct __align__(align1) name##3 {                           \
        element x, y, z;                                         \
    };                                                           \
    struct __align__(align4) name##4 {                           \
        element x, y, z, w;                                      \
    };                                                           \
    typedef struct name##1 name##1;                              \
    typedef struct name##2 name##2;                              \
    typedef struct name##3 name##3;                              \
    typedef struct name##4 name##4

TILESCOPE_VECTORS(char, signed char, 1, 2, 4);
TILESCOPE_VECTORS(uchar, unsigned char, 1, 2, 4);
TILESCOPE_VECTORS(short, short, 2, 4, 8);
TILESCOPE_VECTORS(ushort, unsigned short, 2, 4, 8);
TILESCOPE_VECTORS(int, int, 4, 8, 16);
TILESCOPE_VECTORS(uint, unsigned int, 4, 8, 16);
TILESCOPE_VECTORS(long, long int, 8, 16, 16);
TILESCOPE_VECTORS(ulong, unsigned long int, 8, 16, 16);
TILESCOPE_VECTORS(longlong, long long int, 8, 16, 16);
TILESCOPE_VECTORS(ulonglong, unsigned long long int, 8, 16, 16);
TILESCOPE_VECTORS(float, float, 4, 8, 16);
TILESCOPE_VECTORS(double, double, 8, 16, 16);

#undef TILESCOPE_VECTORS

struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
    __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
        : x(x_), y(y_), z(z_) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
