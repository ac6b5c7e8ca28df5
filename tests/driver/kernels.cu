#include "vector_add.cuh"

__device__ int counter = 3;
__constant__ float factors[2] = {1.5f, 2.5f};

extern "C" __global__ void count(int* out) {
    extern __shared__ int cells[];
    cells[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = cells[blockDim.x - 1] + atomicAdd(&counter, 1) + static_cast<int>(factors[1]);
}

extern "C" __global__ void fault(int* out) { *reinterpret_cast<int*>(reinterpret_cast<char*>(out) + (1ull << 40)) = 1; }
