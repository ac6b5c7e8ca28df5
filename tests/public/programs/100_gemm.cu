// Like AppCases/polybench-gpu GEMM/gemm.cu; flags: -O3
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
#define N 32
#define ALPHA 3.5f
#define BETA 0.25f
__global__ void gemm_kernel(DATA_TYPE* a, DATA_TYPE* b, DATA_TYPE* c) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N) {
        c[i * N + j] *= BETA;
        for (int k = 0; k < N; k++) c[i * N + j] += ALPHA * a[i * N + k] * b[k * N + j];
    }
}
void GPU_argv_init() {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, GPU_DEVICE);
    printf("setting device %d with name %s\n", GPU_DEVICE, prop.name);
    cudaSetDevice(GPU_DEVICE);
}
int main() {
    static DATA_TYPE A[N * N], B[N * N], C[N * N], got[N * N];
    for (int i = 0; i < N * N; i++) A[i] = ((DATA_TYPE)(i * 7 % 23) + 1) / 16;
    for (int i = 0; i < N * N; i++) B[i] = ((DATA_TYPE)(i * 11 % 23) + 2) / 16;
    for (int i = 0; i < N * N; i++) C[i] = ((DATA_TYPE)(i * 15 % 23) + 3) / 16;
    GPU_argv_init();
    DATA_TYPE *A_gpu, *B_gpu, *C_gpu;
    cudaMalloc((void**)&A_gpu, sizeof A);
    cudaMemcpy(A_gpu, A, sizeof A, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&B_gpu, sizeof B);
    cudaMemcpy(B_gpu, B, sizeof B, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&C_gpu, sizeof C);
    cudaMemcpy(C_gpu, C, sizeof C, cudaMemcpyHostToDevice);
    double start = rtclock();
    dim3 block(32, 8),
        grid((size_t)(ceil(((float)N) / ((float)block.x))), (size_t)(ceil(((float)N) / ((float)block.y))));
    gemm_kernel<<<grid, block>>>(A_gpu, B_gpu, C_gpu);
    cudaThreadSynchronize();
    printf("GPU Runtime: %0.6lfs\n", rtclock() - start);
    cudaMemcpy(got, C_gpu, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            C[i * N + j] *= BETA;
            for (int k = 0; k < N; ++k) C[i * N + j] += ALPHA * A[i * N + k] * B[k * N + j];
        }
    int fail = 0;
    for (int i = 0; i < N * N; i++) fail += percentDiff(C[i], got[i]) > 0.05;
    printf("Non-Matching: %d\n%s\n", fail, fail ? "FAIL" : "PASS");
    cudaFree(A_gpu);
    cudaFree(B_gpu);
    cudaFree(C_gpu);
    return fail != 0;
}
