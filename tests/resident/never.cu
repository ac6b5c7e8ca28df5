// Waits that never end. With an argument, blocks meet that do not all fit on the device; without one, both blocks wait
// for what nobody writes.
#include <cstdio>

__device__ volatile int signal;
__device__ unsigned arrived;

__global__ void wait_in_vain(int* out) {
    if (threadIdx.x == 0)
        while (signal == 0) {
        }
    __syncthreads();
    out[blockIdx.x] = 1;
}

__global__ void meet_all(int* out) {
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1u);
        while (atomicAdd(&arrived, 0u) < gridDim.x) {
        }
    }
    __syncthreads();
    out[blockIdx.x] = 1;
}

int main(int argc, char**) {
    int* out;
    cudaMalloc(&out, 5000 * sizeof(int));
    if (argc > 1)
        meet_all<<<5000, 256>>>(out);
    else
        wait_in_vain<<<2, 64>>>(out);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
