// Tokens that move on a ring of places by chance.
#pragma once
#include "rand_gen.cuh"

__global__ void PetrinetKernel(int* places, float* vars, int n, int steps, uint32 seed) {
    __shared__ uint32 mt[STATE_N];
    __shared__ int tokens[STATE_N];
    if (threadIdx.x == 0) seed_state(seed + blockIdx.x, mt);
    tokens[threadIdx.x] = 4;
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        uint32 r = twist(mt, threadIdx.x);
        __syncthreads();
        mt[threadIdx.x] = r;
        if ((r & 1) && atomicSub(&tokens[threadIdx.x], 1) > 0)
            atomicAdd(&tokens[(threadIdx.x + 1) % STATE_N], 1);
        else if (r & 1)
            atomicAdd(&tokens[threadIdx.x], 1);
        __syncthreads();
    }
    places[blockIdx.x * STATE_N + threadIdx.x] = tokens[threadIdx.x];
    if (threadIdx.x == 0) vars[blockIdx.x] = (float)mt[0];
}
