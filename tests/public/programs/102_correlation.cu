// Like AppCases/polybench-gpu CORR/correlation.cu; flags: -O3
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
#define M 24
#define N 40
#define sqrt_of_array_cell(x, j) sqrt(x[j])
__global__ void mean_kernel(DATA_TYPE* mean, DATA_TYPE* data) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < M) {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++) mean[j] += data[i * M + j];
        mean[j] /= (DATA_TYPE)N;
    }
}
__global__ void std_kernel(DATA_TYPE* mean, DATA_TYPE* std, DATA_TYPE* data) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < M) {
        std[j] = 0.0;
        for (int i = 0; i < N; i++) std[j] += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
        std[j] = sqrt_of_array_cell(std, j);
    }
}
__global__ void corr_kernel(DATA_TYPE* symmat, DATA_TYPE* data, DATA_TYPE* mean, DATA_TYPE* std) {
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 >= M) return;
    for (int j2 = 0; j2 < M; j2++) {
        DATA_TYPE sum = 0;
        for (int i = 0; i < N; i++) sum += (data[i * M + j1] - mean[j1]) * (data[i * M + j2] - mean[j2]);
        symmat[j1 * M + j2] = sum / (std[j1] * std[j2]);
    }
}
void GPU_argv_init() {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, GPU_DEVICE);
    printf("setting device %d with name %s\n", GPU_DEVICE, prop.name);
    cudaSetDevice(GPU_DEVICE);
}
int main() {
    static DATA_TYPE data[M * N], mean[M], dev[M], symmat[M * M], got[M * M];
    for (int i = 0; i < M * N; i++) data[i] = ((DATA_TYPE)(i * 7 % 23) + 1) / 16;
    for (int i = 0; i < M; i++) mean[i] = ((DATA_TYPE)(i * 11 % 23) + 2) / 16;
    for (int i = 0; i < M; i++) dev[i] = ((DATA_TYPE)(i * 15 % 23) + 3) / 16;
    for (int i = 0; i < M * M; i++) symmat[i] = ((DATA_TYPE)(i * 19 % 23) + 4) / 16;
    GPU_argv_init();
    DATA_TYPE *data_gpu, *mean_gpu, *dev_gpu, *symmat_gpu;
    cudaMalloc((void**)&data_gpu, sizeof data);
    cudaMemcpy(data_gpu, data, sizeof data, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&mean_gpu, sizeof mean);
    cudaMemcpy(mean_gpu, mean, sizeof mean, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&dev_gpu, sizeof dev);
    cudaMemcpy(dev_gpu, dev, sizeof dev, cudaMemcpyHostToDevice);
    cudaMalloc((void**)&symmat_gpu, sizeof symmat);
    cudaMemcpy(symmat_gpu, symmat, sizeof symmat, cudaMemcpyHostToDevice);
    double start = rtclock();
    mean_kernel<<<1, 256>>>(mean_gpu, data_gpu);
    cudaThreadSynchronize();
    std_kernel<<<1, 256>>>(mean_gpu, dev_gpu, data_gpu);
    cudaThreadSynchronize();
    corr_kernel<<<1, 256>>>(symmat_gpu, data_gpu, mean_gpu, dev_gpu);
    cudaThreadSynchronize();
    printf("GPU Runtime: %0.6lfs\n", rtclock() - start);
    cudaMemcpy(got, symmat_gpu, sizeof got, cudaMemcpyDeviceToHost);
    for (int j = 0; j < M; j++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < N; i++) sum += data[i * M + j];
        mean[j] = sum / N;
        for (int i = 0; i < N; i++) squares += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
        dev[j] = sqrt(squares);
    }
    for (int a = 0; a < M; a++)
        for (int b = 0; b < M; b++) {
            double sum = 0;
            for (int i = 0; i < N; i++) sum += (data[i * M + a] - mean[a]) * (data[i * M + b] - mean[b]);
            symmat[a * M + b] = sum / (dev[a] * dev[b]);
        }
    int fail = 0;
    for (int i = 0; i < M * M; i++) fail += percentDiff(symmat[i], got[i]) > 0.05;
    printf("Non-Matching: %d\n%s\n", fail, fail ? "FAIL" : "PASS");
    cudaFree(data_gpu);
    cudaFree(mean_gpu);
    cudaFree(dev_gpu);
    cudaFree(symmat_gpu);
    return fail != 0;
}
