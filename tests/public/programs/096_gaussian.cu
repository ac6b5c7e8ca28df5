// Like yuhc/gpu-rodinia cuda/gaussian/gaussian.cu
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "cuda.h"
#define MAXBLOCKSIZE 64
#define BLOCK_SIZE_XY 4
__global__ void Fan1(float* m, float* a, int Size, int t) {
    if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t) return;
    *(m + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) =
        *(a + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) / *(a + Size * t + t);
}
__global__ void Fan2(float* m, float* a, float* b, int Size, int t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= Size - 1 - t || y >= Size - t) return;
    a[Size * (x + 1 + t) + y + t] -= m[Size * (x + 1 + t) + t] * a[Size * t + y + t];
    if (y == 0) b[x + 1 + t] -= m[Size * (x + 1 + t) + t] * b[t];
}
int main() {
    const int n = 12;
    float a[n * n], b[n], x[n], A[n * n], B[n], *m_d, *a_d, *b_d;
    for (int i = 0; i < n * n; i++) A[i] = a[i] = i % (n + 1) == 0 ? 10.f : 1.f / (1 + abs(i / n - i % n));
    for (int i = 0; i < n; i++) B[i] = b[i] = 1.f + i;
    cudaDeviceProp prop;
    int count;
    cudaGetDeviceCount(&count);
    cudaGetDeviceProperties(&prop, 0);
    printf("%s, %d multiprocessors\n", prop.name, prop.multiProcessorCount);
    cudaMalloc((void**)&m_d, sizeof a);
    cudaMalloc((void**)&a_d, sizeof a);
    cudaMalloc((void**)&b_d, sizeof b);
    cudaMemset(m_d, 0, sizeof a);
    cudaMemcpy(a_d, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(b_d, b, sizeof b, cudaMemcpyHostToDevice);
    for (int t = 0; t < n - 1; t++) {
        Fan1<<<1, MAXBLOCKSIZE>>>(m_d, a_d, n, t);
        cudaThreadSynchronize();
        Fan2<<<dim3(3, 3), dim3(BLOCK_SIZE_XY, BLOCK_SIZE_XY)>>>(m_d, a_d, b_d, n, t);
        cudaThreadSynchronize();
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess) {
            fprintf(stderr, "%s\n", cudaGetErrorString(error));
            exit(-1);
        }
    }
    cudaMemcpy(a, a_d, sizeof a, cudaMemcpyDeviceToHost);
    cudaMemcpy(b, b_d, sizeof b, cudaMemcpyDeviceToHost);
    for (int i = n - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int j = i + 1; j < n; j++) x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
    bool ok = count >= 1;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += A[i * n + j] * x[j];
        ok = ok && fabs(sum - B[i]) < 1e-3;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(m_d);
    cudaFree(a_d);
    cudaFree(b_d);
    return !ok;
}
