// make_float4 and its family.
#pragma once

#include "vector_types.h"

#if defined(__cplusplus)
#define TILESCOPE_MAKE(name, element)                                                                             \
    static __inline__ __host__ __device__ name##1 make_##name##1(element x) { return name##1 {x}; }               \
    static __inline__ __host__ __device__ name##2 make_##name##2(element x, element y) { return name##2 {x, y}; } \
    static __inline__ __host__ __device__ name##3 make_##name##3(element x, element y, element z) {               \
        return name##3 {x, y, z};                                                                                 \
    }                                                                                                             \
    static __inline__ __host__ __device__ name##4 make_##name##4(element x, element y, element z, element w) {    \
        return name##4 {x, y, z, w};                                                                              \
    }

TILESCOPE_MAKE(char, signed char)
TILESCOPE_MAKE(uchar, unsigned char)
TILESCOPE_MAKE(short, short)
TILESCOPE_MAKE(ushort, unsigned short)
TILESCOPE_MAKE(int, int)
TILESCOPE_MAKE(uint, unsigned int)
TILESCOPE_MAKE(long, long int)
TILESCOPE_MAKE(ulong, unsigned long int)
TILESCOPE_MAKE(longlong, long long int)
TILESCOPE_MAKE(ulonglong, unsigned long long int)
TILESCOPE_MAKE(float, float)
TILESCOPE_MAKE(double, double)

#undef TILESCOPE_MAKE
#endif
