#include "parts.cuh"

__device__ float sum_of_block(float value) {
    __shared__ float values[32];
    values[threadIdx.x] = value;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += values[i];
    __syncthreads();
    return sum;
}
