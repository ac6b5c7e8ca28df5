// Like AkshDesai04/CUDA Advanced_ModernFeatures_01_A.cu
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK_CUDA(call)                                                                                           \
    do {                                                                                                           \
        cudaError_t err = call;                                                                                    \
        if (err != cudaSuccess) {                                                                                  \
            fprintf(stderr, "CUDA error in %s (%s:%d): %s\n", #call, __FILE__, __LINE__, cudaGetErrorString(err)); \
            exit(EXIT_FAILURE);                                                                                    \
        }                                                                                                          \
    } while (0)
__global__ void sum_kernel(const float* in, float* out, size_t N) {
    extern __shared__ float sdata[];
    unsigned int tid = threadIdx.x, idx = blockIdx.x * blockDim.x + tid;
    sdata[tid] = idx < N ? in[idx] : 0.0f;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}
int main(void) {
    const size_t N = 1 << 12, bytes = N * sizeof(float), blocks = 16;
    float *vec = NULL, *d = NULL, h[blocks], total = 0;
    CHECK_CUDA(cudaMallocManaged((void**)&vec, bytes));
    CHECK_CUDA(cudaMalloc((void**)&d, blocks * sizeof(float)));
    for (size_t i = 0; i < N; ++i) vec[i] = 1.0f;
#if CUDART_VERSION >= 13000
    cudaMemLocation gpu = {};
    gpu.type = cudaMemLocationTypeDevice;
    gpu.id = 0;
#else
    int gpu = 0;
#endif
    CHECK_CUDA(cudaMemAdvise(vec, bytes, cudaMemAdviseSetReadMostly, gpu));
    CHECK_CUDA(cudaMemAdvise(vec, bytes, cudaMemAdviseSetPreferredLocation, gpu));
    sum_kernel<<<blocks, 256, 256 * sizeof(float)>>>(vec, d, N);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (float s : h) total += s;
    printf("%s\n", total == N ? "PASS" : "FAIL");
    CHECK_CUDA(cudaFree(vec));
    CHECK_CUDA(cudaFree(d));
    return total != N;
}
