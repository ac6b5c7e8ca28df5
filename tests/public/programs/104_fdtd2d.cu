// Like AppCases/polybench-gpu FDTD-2D/fdtd2d.cu; flags: -O3
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
#define N 40
#define TMAX 4
__global__ void step1(DATA_TYPE* fict, DATA_TYPE* ey, DATA_TYPE* hz, int t) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N) ey[i * N + j] = i == 0 ? fict[t] : ey[i * N + j] - 0.5f * (hz[i * N + j] - hz[(i - 1) * N + j]);
}
__global__ void step2(DATA_TYPE* ey, DATA_TYPE* hz) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N - 1 && j < N) hz[i * N + j] = hz[i * N + j] - 0.7f * (ey[(i + 1) * N + j] - ey[i * N + j]);
}
void GPU_argv_init() {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, GPU_DEVICE);
    printf("setting device %d with name %s\n", GPU_DEVICE, prop.name);
    cudaSetDevice(GPU_DEVICE);
}
int main() {
    static DATA_TYPE fict[TMAX], ey[N * N], hz[N * N], got[N * N];
    for (int i = 0; i < TMAX; i++) fict[i] = ((DATA_TYPE)(i * 7 % 23) + 1) / 16;
    for (int i = 0; i < N * N; i++) ey[i] = ((DATA_TYPE)(i * 11 % 23) + 2) / 16;
    for (int i = 0; i < N * N; i++) hz[i] = ((DATA_TYPE)(i * 15 % 23) + 3) / 16;
    GPU_argv_init();
    DATA_TYPE *fict_gpu, *ey_gpu, *hz_gpu;
    cudaMalloc((void**)&fict_gpu, sizeof fict);
    cudaMemcpy(fict_gpu, fict, sizeof fict, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&ey_gpu, sizeof ey);
    cudaMemcpy(ey_gpu, ey, sizeof ey, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&hz_gpu, sizeof hz);
    cudaMemcpy(hz_gpu, hz, sizeof hz, cudaMemcpyHostToDevice);
    double start = rtclock();
    for (int t = 0; t < TMAX; t++) {
        step1<<<dim3(2, 5), dim3(32, 8)>>>(fict_gpu, ey_gpu, hz_gpu, t);
        cudaThreadSynchronize();
        step2<<<dim3(2, 5), dim3(32, 8)>>>(ey_gpu, hz_gpu);
        cudaThreadSynchronize();
    }
    cudaThreadSynchronize();
    printf("GPU Runtime: %0.6lfs\n", rtclock() - start);
    cudaMemcpy(got, hz_gpu, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < TMAX; t++) {
        for (int i = N - 1; i >= 0; i--)
            for (int j = 0; j < N; j++)
                ey[i * N + j] = i == 0 ? fict[t] : ey[i * N + j] - 0.5f * (hz[i * N + j] - hz[(i - 1) * N + j]);
        for (int i = 0; i < N - 1; i++)
            for (int j = 0; j < N; j++) hz[i * N + j] = hz[i * N + j] - 0.7f * (ey[(i + 1) * N + j] - ey[i * N + j]);
    }
    int fail = 0;
    for (int i = 0; i < N * N; i++) fail += percentDiff(hz[i], got[i]) > 0.05;
    printf("Non-Matching: %d\n%s\n", fail, fail ? "FAIL" : "PASS");
    cudaFree(fict_gpu);
    cudaFree(ey_gpu);
    cudaFree(hz_gpu);
    return fail != 0;
}
