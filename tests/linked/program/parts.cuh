// One program of ten files and a library: what each defines and the others use.
#pragma once

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
typedef float (*Step)(float);

extern __constant__ float scales[4];  // constants.cu
extern __device__ int visits;         // counters.cu
extern __device__ Step steps[3];      // table.cu

__device__ float scaled(float value, int which);                 // constants.cu
__device__ int visit();                                          // counters.cu
__device__ Shape* make_shape(int which, float size);             // shapes.cu
__device__ float sum_of_block(float value);                      // shared.cu
__device__ float fetched(cudaTextureObject_t texture, float x);  // texture.cu
__device__ int first_own(int value);                             // first.cu
__device__ int second_own(int value);                            // second.cu
__device__ int down(int from);                                   // down.cu, which calls up()
__device__ int up(int to);                                       // main.cu
__device__ float from_library(float value);                      // library.cu, in the archive, which uses more of it

// Of every file that includes this, once in the program.
template <class T>
__device__ T twice(T value) {
    static __device__ int calls;
    atomicAdd(&calls, 1);
    return value + value;
}
template <class T>
__global__ void fill(T* out, T value) {
    out[threadIdx.x] = twice(value);
}

void fill_from_table(float* out);  // table.cu
