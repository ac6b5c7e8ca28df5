// A library with a kernel and a function that launches it, whose name is NAME.
#include <cuda_runtime.h>

#include <cstdio>

#define TILESCOPE_TEXT(name) #name
#define TILESCOPE_WORDS(name) TILESCOPE_TEXT(name)

__device__ int start[32];
__constant__ int scale = 1;

__global__ void add(int* sum) { atomicAdd(sum, start[threadIdx.x] + static_cast<int>(threadIdx.x) * scale); }

extern "C" int NAME() {
    int *sum = nullptr, value = -1;
    if (cudaMalloc(&sum, sizeof *sum) != cudaSuccess || cudaMemset(sum, 0, sizeof *sum) != cudaSuccess) {
        std::printf("%s: %s\n", TILESCOPE_WORDS(NAME), cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    add<<<1, 32>>>(sum);
    cudaMemcpy(&value, sum, sizeof value, cudaMemcpyDeviceToHost);
    std::printf("%s: sum %d\n", TILESCOPE_WORDS(NAME), value);
    std::fflush(stdout);
    return cudaFree(sum) == cudaSuccess && value == 496 ? 0 : 1;
}
