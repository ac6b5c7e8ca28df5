// Like zjin-lcf/HeCBench src/particlefilter-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#define BLOCK_SIZE 128
#define PI 3.1415926535897932f
const int A = 1103515245;
const int C = 12345;
const int M = INT_MAX;
long long get_time() {
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec * 1000000LL + tv.tv_usec;
}
__host__ __device__ float uniform(int* seed) {
    int num = (int)((unsigned)A * (unsigned)*seed + C);
    *seed = num % M;
    return fabsf(*seed / (float)M);
}
__device__ int first_above(const float* cdf, int n, float value) {
    for (int x = 0; x < n; x++)
        if (cdf[x] >= value) return x;
    return n - 1;
}
__global__ void likelihood(float* weights, float* partial, int n) {
    __shared__ float buffer[BLOCK_SIZE];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int seed = i * 7 + 1;
    float w = i < n ? expf(-uniform(&seed) * cosf(PI * i / n)) : 0.f;
    if (i < n) weights[i] = w;
    buffer[threadIdx.x] = w;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = buffer[0];
}
__global__ void pick(const float* cdf, int* chosen, int n, float u1) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) chosen[i] = first_above(cdf, n, u1 + i / (float)n);
}
int main() {
    const int n = 500, blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    float *weights = (float*)malloc(n * sizeof(float)), *cdf = (float*)malloc(n * sizeof(float)), partial[8];
    int* chosen = (int*)malloc(n * sizeof(int));
    float *d_weights, *d_partial, *d_cdf;
    int* d_chosen;
    cudaMalloc((void**)&d_weights, n * sizeof(float));
    cudaMalloc((void**)&d_partial, blocks * sizeof(float));
    cudaMalloc((void**)&d_cdf, n * sizeof(float));
    cudaMalloc((void**)&d_chosen, n * sizeof(int));
    long long start = get_time();
    likelihood<<<blocks, BLOCK_SIZE>>>(d_weights, d_partial, n);
    cudaMemcpy(weights, d_weights, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(partial, d_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    float sum = 0, all = 0;
    for (int i = 0; i < blocks; i++) sum += partial[i];
    for (int i = 0; i < n; i++) cdf[i] = (all += weights[i] / sum);
    cudaMemcpy(d_cdf, cdf, n * sizeof(float), cudaMemcpyHostToDevice);
    pick<<<blocks, BLOCK_SIZE>>>(d_cdf, d_chosen, n, 0.0005f);
    cudaDeviceSynchronize();
    cudaMemcpy(chosen, d_chosen, n * sizeof(int), cudaMemcpyDeviceToHost);
    bool ok = fabsf(all - 1) < 1e-3f && get_time() >= start;
    for (int i = 0, x = 0; i < n; i++) {
        while (x < n - 1 && cdf[x] < 0.0005f + i / (float)n) x++;
        ok = ok && chosen[i] == x;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_weights);
    cudaFree(d_partial);
    cudaFree(d_cdf);
    cudaFree(d_chosen);
    free(weights);
    free(cdf);
    free(chosen);
    return !ok;
}
