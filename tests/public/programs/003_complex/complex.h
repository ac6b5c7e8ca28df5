// Complex numbers of one or the other precision, as programs bring them along.
#pragma once
#include <math.h>
struct FloatPair {
    float x, y;
};
struct __align__(16) DoublePair {
    double x, y;
};
__host__ __device__ static __inline__ FloatPair times(FloatPair a, FloatPair b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__host__ __device__ static __inline__ DoublePair times(DoublePair a, DoublePair b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <class T>
__host__ __device__ auto size_of(T a) -> decltype(a.x) {
    return sqrt(a.x * a.x + a.y * a.y);
}
