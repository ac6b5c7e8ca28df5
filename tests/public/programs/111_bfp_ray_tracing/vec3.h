// Vectors of three numbers.
#pragma once
#include <cmath>
class vec3 {
public:
    float e[3];
    __host__ __device__ vec3() : e{0, 0, 0} {}
    __host__ __device__ vec3(float a, float b, float c) : e{a, b, c} {}
    __host__ __device__ float dot(const vec3& o) const { return e[0] * o.e[0] + e[1] * o.e[1] + e[2] * o.e[2]; }
    __host__ __device__ vec3 operator-(const vec3& o) const {
        return vec3(e[0] - o.e[0], e[1] - o.e[1], e[2] - o.e[2]);
    }
    __host__ __device__ vec3 operator*(float t) const { return vec3(e[0] * t, e[1] * t, e[2] * t); }
};
using point3 = vec3;
