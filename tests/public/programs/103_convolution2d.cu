// Like AppCases/polybench-gpu 2DCONV/2DConvolution.cu; flags: -O3
#include <cuda.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#define GPU_DEVICE 0
typedef float DATA_TYPE;
double rtclock() {
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec + tv.tv_usec * 1.0e-6;
}
float percentDiff(double a, double b) {
    return fabs(a) < 0.01 && fabs(b) < 0.01 ? 0.0f : 100.0f * fabs(a - b) / fabs(a + 1e-8);
}
#define N 48
__host__ __device__ DATA_TYPE around(const DATA_TYPE* A, int i, int j) {
    return +0.2f * A[(i - 1) * N + j - 1] - 0.3f * A[i * N + j - 1] + 0.4f * A[(i + 1) * N + j] + 0.6f * A[i * N + j] +
           0.1f * A[(i + 1) * N + j + 1];
}
__global__ void Convolution2D_kernel(DATA_TYPE* A, DATA_TYPE* B) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N - 1 && j < N - 1 && i > 0 && j > 0) B[i * N + j] = around(A, i, j);
}
void GPU_argv_init() {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, GPU_DEVICE);
    printf("setting device %d with name %s\n", GPU_DEVICE, prop.name);
    cudaSetDevice(GPU_DEVICE);
}
int main() {
    static DATA_TYPE A[N * N], B[N * N], got[N * N];
    for (int i = 0; i < N * N; i++) A[i] = ((DATA_TYPE)(i * 7 % 23) + 1) / 16;
    for (int i = 0; i < N * N; i++) B[i] = ((DATA_TYPE)(i * 11 % 23) + 2) / 16;
    GPU_argv_init();
    DATA_TYPE *A_gpu, *B_gpu;
    cudaMalloc((void**)&A_gpu, sizeof A);
    cudaMemcpy(A_gpu, A, sizeof A, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&B_gpu, sizeof B);
    cudaMemcpy(B_gpu, B, sizeof B, cudaMemcpyHostToDevice);
    double start = rtclock();
    Convolution2D_kernel<<<dim3(2, 6), dim3(32, 8)>>>(A_gpu, B_gpu);
    cudaThreadSynchronize();
    printf("GPU Runtime: %0.6lfs\n", rtclock() - start);
    cudaMemcpy(got, B_gpu, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 1; i < N - 1; ++i)
        for (int j = 1; j < N - 1; ++j) B[i * N + j] = around(A, i, j);
    int fail = 0;
    for (int i = 0; i < N * N; i++) fail += percentDiff(B[i], got[i]) > 0.05;
    printf("Non-Matching: %d\n%s\n", fail, fail ? "FAIL" : "PASS");
    cudaFree(A_gpu);
    cudaFree(B_gpu);
    return fail != 0;
}
