// What the calls of semantics.cu are made with: kernels, variables, and how a call and its errors are printed.
// The layout of the calls is the hardware run's: see semantics.cu.
#pragma once
// clang-format off
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

__constant__ int table[8];
__device__ int counter = 7;
__managed__ int shared_value = 5;

__global__ void store(int* p, int value) { p[threadIdx.x] = value; }
__global__ void copy_table(int* p) { p[threadIdx.x] = table[threadIdx.x] + counter + shared_value; }
__global__ void __launch_bounds__(64) small_blocks(int* p) { p[threadIdx.x] = 1; }
__global__ void dynamic(int* p) {
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = buffer[threadIdx.x];
}
__global__ void trap() { asm volatile("trap;"); }
__global__ void misaligned(char* p) { *reinterpret_cast<volatile int*>(p + 1) = 3; }
__global__ void wild(int* p) { p[1u << 28] = 3; }
__device__ __noinline__ int recurse(int n, int* p) {
    int local[64];
    for (int i = 0; i < 64; ++i) local[i] = p[i] + n;
    return n < 0 ? 0 : recurse(n + 1, local) + local[n & 63];
}
__global__ void deep(int* p) { *p = recurse(1, p); }
__global__ void failing(int n) { assert(n == 5); }
__global__ void shared_wild(int n) {
    __shared__ int s[32];
    s[threadIdx.x] = n;
    __syncthreads();
    reinterpret_cast<volatile int*>(s)[n] = 3;
}
__global__ void null_store(int* p) { *p = 3; }

static void say(const char* key, cudaError_t error) {
    std::printf("%s %s", key, cudaGetErrorName(error));
    const cudaError_t peek = cudaPeekAtLastError();
    const cudaError_t last = cudaGetLastError();
    std::printf(" peek %s last %s then %s\n", cudaGetErrorName(peek), cudaGetErrorName(last),
                cudaGetErrorName(cudaGetLastError()));
}
#define SAY(call) say(#call, call)
#define LAUNCH(...)                       \
    do {                                  \
        __VA_ARGS__;                      \
        say(#__VA_ARGS__, cudaSuccess);   \
    } while (0)
