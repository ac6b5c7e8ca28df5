// A check of calls that ends the program, as this course's programs bring it along.
#pragma once
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
inline void checkCudaError(cudaError_t err) {
    if (err != cudaSuccess) {
        printf("[CUDA] %s\n", cudaGetErrorString(err));
        exit(-1);
    }
}
