// Device code of three files: what each defines and the others use.
#pragma once

#include <cstdio>

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};

typedef float (*Function)(float);

extern __device__ int visits;             // counted in all files, defined in shapes.cu
extern __constant__ float weights[4];     // defined in tables.cu
extern __device__ Function functions[3];  // defined in tables.cu
extern __managed__ int shared_by_all;     // defined in shapes.cu

__device__ float weighted(float value, int which);    // tables.cu
__device__ Shape* make_shape(int which, float size);  // shapes.cu
__device__ int count_down(int from);                  // calls back into main.cu's count_up

// In every file that includes this, once in the program.
template <class T>
__device__ T doubled(T value) {
    static __device__ int calls;
    atomicAdd(&calls, 1);
    return value + value;
}
inline __device__ float halved(float value) { return value / 2; }

template <class T>
__global__ void fill(T* out, T value) {
    out[threadIdx.x] = doubled(value);
}

void run_tables(float* out);  // tables.cu: a kernel and a static variable of its own, both named as main.cu's
int table_calls();
bool plain_check(const float* values, int count);  // check.cpp
