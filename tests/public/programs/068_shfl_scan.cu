// Like NVIDIA/cuda-samples 2_Concepts_and_Techniques/shfl_scan (shfl_scan.cu, shfl_integral_image.cuh); flags:
// -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
__global__ void shfl_scan_test(int* data, int width, int* partial_sums = NULL) {
    extern __shared__ int sums[];
    int id = blockIdx.x * blockDim.x + threadIdx.x, lane_id = id % warpSize, warp_id = threadIdx.x / warpSize,
        value = data[id];
#pragma unroll
    for (int i = 1; i <= width; i *= 2) {
        unsigned int mask = 0xffffffff;
        int n = __shfl_up_sync(mask, value, i, width);
        if (lane_id >= i) value += n;
    }
    if (threadIdx.x % warpSize == warpSize - 1) sums[warp_id] = value;
    __syncthreads();
    if (warp_id == 0 && lane_id < blockDim.x / warpSize) {
        int warp_sum = sums[lane_id], mask = (1 << (blockDim.x / warpSize)) - 1;
        for (int i = 1; i <= blockDim.x / warpSize; i *= 2) {
            int n = __shfl_up_sync(mask, warp_sum, i, (blockDim.x / warpSize));
            if (lane_id >= i) warp_sum += n;
        }
        sums[lane_id] = warp_sum;
    }
    __syncthreads();
    if (warp_id > 0) value += sums[warp_id - 1];
    data[id] = value;
    if (partial_sums != NULL && threadIdx.x == blockDim.x - 1) partial_sums[blockIdx.x] = value;
}
__global__ void uniform_add(int* data, int* partial_sums, int len) {
    __shared__ int buf;
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id > len) return;
    if (threadIdx.x == 0) buf = partial_sums[blockIdx.x];
    __syncthreads();
    data[id] += buf;
}
int main(int argc, char** argv) {
    const int n = 2048, block = 256, blocks = n / block;
    int *h, *d, *d_partial;
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, findCudaDevice(argc, (const char**)argv)));
    checkCudaErrors(cudaMallocHost((void**)&h, n * sizeof(int)));
    for (int i = 0; i < n; i++) h[i] = i % 7;
    checkCudaErrors(cudaMalloc((void**)&d, n * sizeof(int)));
    checkCudaErrors(cudaMalloc((void**)&d_partial, 64 * sizeof(int)));
    checkCudaErrors(cudaMemset(d_partial, 0, 64 * sizeof(int)));
    checkCudaErrors(cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice));
    shfl_scan_test<<<blocks, block, 64>>>(d, 32, d_partial);
    shfl_scan_test<<<1, 32, 64>>>(d_partial, 32);
    uniform_add<<<blocks - 1, block>>>(d + block, d_partial, n);
    checkCudaErrors(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int i = 0, sum = 0; i < n; i++) ok = ok && h[i] == (sum += i % 7);
    printf("%s\n", ok ? "PASS" : "FAIL");
    checkCudaErrors(cudaFreeHost(h));
    checkCudaErrors(cudaFree(d));
    checkCudaErrors(cudaFree(d_partial));
    return !ok;
}
