// Like AppCases/polybench-gpu 2MM/2mm.cu; flags: -O3
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
#define N 24
__global__ void mm2_kernel1(DATA_TYPE* A, DATA_TYPE* B, DATA_TYPE* C) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N) {
        DATA_TYPE sum = 0;
        for (int k = 0; k < N; k++) sum += A[i * N + k] * B[k * N + j];
        C[i * N + j] = sum;
    }
}
void GPU_argv_init() {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, GPU_DEVICE);
    printf("setting device %d with name %s\n", GPU_DEVICE, prop.name);
    cudaSetDevice(GPU_DEVICE);
}
int main() {
    static DATA_TYPE A[N * N], B[N * N], C[N * N], D[N * N], E[N * N], got[N * N];
    for (int i = 0; i < N * N; i++) A[i] = ((DATA_TYPE)(i * 7 % 23) + 1) / 16;
    for (int i = 0; i < N * N; i++) B[i] = ((DATA_TYPE)(i * 11 % 23) + 2) / 16;
    for (int i = 0; i < N * N; i++) C[i] = ((DATA_TYPE)(i * 15 % 23) + 3) / 16;
    for (int i = 0; i < N * N; i++) D[i] = ((DATA_TYPE)(i * 19 % 23) + 4) / 16;
    for (int i = 0; i < N * N; i++) E[i] = ((DATA_TYPE)(i * 23 % 23) + 5) / 16;
    GPU_argv_init();
    DATA_TYPE *A_gpu, *B_gpu, *C_gpu, *D_gpu, *E_gpu;
    cudaMalloc((void**)&A_gpu, sizeof A);
    cudaMemcpy(A_gpu, A, sizeof A, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&B_gpu, sizeof B);
    cudaMemcpy(B_gpu, B, sizeof B, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&C_gpu, sizeof C);
    cudaMemcpy(C_gpu, C, sizeof C, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&D_gpu, sizeof D);
    cudaMemcpy(D_gpu, D, sizeof D, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&E_gpu, sizeof E);
    cudaMemcpy(E_gpu, E, sizeof E, cudaMemcpyHostToDevice);
    double start = rtclock();
    mm2_kernel1<<<dim3(1, 3), dim3(32, 8)>>>(A_gpu, B_gpu, C_gpu);
    cudaThreadSynchronize();
    mm2_kernel1<<<dim3(1, 3), dim3(32, 8)>>>(C_gpu, D_gpu, E_gpu);
    cudaThreadSynchronize();
    printf("GPU Runtime: %0.6lfs\n", rtclock() - start);
    cudaMemcpy(got, E_gpu, sizeof got, cudaMemcpyDeviceToHost);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                DATA_TYPE sum = 0;
                for (int k = 0; k < N; k++) sum += half ? C[i * N + k] * D[k * N + j] : A[i * N + k] * B[k * N + j];
                (half ? E : C)[i * N + j] = sum;
            }
    int fail = 0;
    for (int i = 0; i < N * N; i++) fail += percentDiff(E[i], got[i]) > 0.05;
    printf("Non-Matching: %d\n%s\n", fail, fail ? "FAIL" : "PASS");
    cudaFree(A_gpu);
    cudaFree(B_gpu);
    cudaFree(C_gpu);
    cudaFree(D_gpu);
    cudaFree(E_gpu);
    return fail != 0;
}
