// Like NVIDIA/cuda-samples 0_Introduction/simpleP2P/simpleP2P.cu; flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
#include <stdlib.h>
__global__ void SimpleKernel(float* src, float* dst) {
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    dst[idx] = src[idx] * 2.0f;
}
int main(int argc, char** argv) {
    int gpu_n, can = 0;
    checkCudaErrors(cudaGetDeviceCount(&gpu_n));
    printf("CUDA-capable device count: %i\n", gpu_n);
    cudaDeviceProp prop[64];
    int pair[2] = {0, 0};
    for (int i = 0; i < gpu_n; i++) {
        checkCudaErrors(cudaGetDeviceProperties(&prop[i], i));
        for (int j = 0; j < gpu_n; j++)
            if (i != j) {
                checkCudaErrors(cudaDeviceCanAccessPeer(&can, i, j));
                if (can) pair[0] = i, pair[1] = j;
            }
    }
    if (pair[0] != pair[1]) {
        checkCudaErrors(cudaSetDevice(pair[0]));
        checkCudaErrors(cudaDeviceEnablePeerAccess(pair[1], 0));
    }
    const size_t n = 4096, bytes = n * sizeof(float);
    float *g0, *g1, *h0;
    checkCudaErrors(cudaSetDevice(pair[0]));
    checkCudaErrors(cudaMalloc(&g0, bytes));
    checkCudaErrors(cudaSetDevice(pair[1]));
    checkCudaErrors(cudaMalloc(&g1, bytes));
    checkCudaErrors(cudaMallocHost(&h0, bytes));
    for (size_t i = 0; i < n; i++) h0[i] = float(i % 4096);
    cudaEvent_t start, stop;
    float ms;
    checkCudaErrors(cudaEventCreateWithFlags(&start, cudaEventBlockingSync));
    checkCudaErrors(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
    checkCudaErrors(cudaMemcpy(g0, h0, bytes, cudaMemcpyDefault));
    checkCudaErrors(cudaEventRecord(start, 0));
    checkCudaErrors(cudaMemcpy(g1, g0, bytes, cudaMemcpyDefault));
    checkCudaErrors(cudaEventRecord(stop, 0));
    checkCudaErrors(cudaEventSynchronize(stop));
    checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
    SimpleKernel<<<dim3(n / 512), dim3(512, 1)>>>(g1, g0);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpyPeer(g1, pair[1], g0, pair[0], bytes));
    checkCudaErrors(cudaMemcpy(h0, g1, bytes, cudaMemcpyDefault));
    bool ok = true;
    for (size_t i = 0; i < n; i++) ok = ok && h0[i] == float(i % 4096) * 2.0f;
    printf("%s\n", ok ? "PASS" : "FAIL");
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    checkCudaErrors(cudaFreeHost(h0));
    checkCudaErrors(cudaFree(g0));
    checkCudaErrors(cudaFree(g1));
    return !ok;
}
