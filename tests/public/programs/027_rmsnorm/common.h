// Checks of calls and random numbers.
#pragma once
#include <cuda_runtime.h>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#define THREADS_PER_WARP 32
inline void cuda_check(cudaError_t error, const char* file, int line) {
    if (error != cudaSuccess) {
        printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}
#define cudaCheck(err) (cuda_check(err, __FILE__, __LINE__))
inline float* make_random_float(size_t n) {
    float* values = (float*)malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++) values[i] = rand() / (float)RAND_MAX * 2.0f - 1.0f;
    return values;
}
