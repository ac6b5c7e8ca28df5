// Like AppCases/polybench-gpu 3DCONV/3DConvolution.cu; flags: -O3
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
#define N 16
#define at(i, j, k) ((i)*N * N + (j)*N + (k))
__host__ __device__ DATA_TYPE around(const DATA_TYPE* A, int i, int j, int k) {
    return 2 * A[at(i - 1, j - 1, k - 1)] + 5 * A[at(i + 1, j - 1, k - 1)] - 3 * A[at(i, j, k + 1)] +
           7 * A[at(i, j + 1, k)];
}
__global__ void convolution3D_kernel(DATA_TYPE* A, DATA_TYPE* B, int i) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (j < N - 1 && k < N - 1 && i > 0 && j > 0 && k > 0) B[at(i, j, k)] = around(A, i, j, k);
}
void GPU_argv_init() {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, GPU_DEVICE);
    printf("setting device %d with name %s\n", GPU_DEVICE, prop.name);
    cudaSetDevice(GPU_DEVICE);
}
int main() {
    static DATA_TYPE A[N * N * N], B[N * N * N], got[N * N * N];
    for (int i = 0; i < N * N * N; i++) A[i] = ((DATA_TYPE)(i * 7 % 23) + 1) / 16;
    for (int i = 0; i < N * N * N; i++) B[i] = ((DATA_TYPE)(i * 11 % 23) + 2) / 16;
    GPU_argv_init();
    DATA_TYPE *A_gpu, *B_gpu;
    cudaMalloc((void**)&A_gpu, sizeof A);
    cudaMemcpy(A_gpu, A, sizeof A, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&B_gpu, sizeof B);
    cudaMemcpy(B_gpu, B, sizeof B, cudaMemcpyHostToDevice);
    double start = rtclock();
    for (int i = 1; i < N - 1; ++i) convolution3D_kernel<<<dim3(1, 2), dim3(32, 8)>>>(A_gpu, B_gpu, i);
    cudaThreadSynchronize();
    printf("GPU Runtime: %0.6lfs\n", rtclock() - start);
    cudaMemcpy(got, B_gpu, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 1; i < N - 1; ++i)
        for (int j = 1; j < N - 1; ++j)
            for (int k = 1; k < N - 1; ++k) B[at(i, j, k)] = around(A, i, j, k);
    int fail = 0;
    for (int i = 0; i < N * N * N; i++) fail += percentDiff(B[i], got[i]) > 0.05;
    printf("Non-Matching: %d\n%s\n", fail, fail ? "FAIL" : "PASS");
    cudaFree(A_gpu);
    cudaFree(B_gpu);
    return fail != 0;
}
