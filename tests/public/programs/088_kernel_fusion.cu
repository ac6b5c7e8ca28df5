// Like douyixuan/cuda-by-example examples/kernel-fusion/kernel-fusion.cu; flags: -arch=sm_80
#include <math.h>
#include <stdio.h>
const int N = 1024;
__global__ void add_bias(float* x, const float* bias, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += bias[i % 32];
}
__global__ void clip(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = fminf(1.0f, fmaxf(0.0f, x[i]));
}
__global__ void fused(float* x, const float* bias, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = fminf(1.0f, fmaxf(0.0f, x[i] + bias[i % 32]));
}
int main() {
    float h[N], bias[32], one[N], two[N], *d, *d_bias;
    for (int i = 0; i < N; i++) h[i] = (i % 5) - 2.0f;
    for (int i = 0; i < 32; i++) bias[i] = i / 16.0f;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&d_bias, sizeof bias);
    cudaMemcpy(d_bias, bias, sizeof bias, cudaMemcpyHostToDevice);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    add_bias<<<4, 256>>>(d, d_bias, N);
    clip<<<4, 256>>>(d, N);
    cudaMemcpy(two, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    fused<<<4, 256>>>(d, d_bias, N);
    cudaMemcpy(one, d, sizeof h, cudaMemcpyDeviceToHost);
    int match = 1;
    for (int i = 0; i < N; i++)
        if (one[i] != two[i] || one[i] != fminf(1, fmaxf(0, h[i] + bias[i % 32]))) match = 0;
    printf("%s\n", match ? "PASS" : "FAIL");
    cudaFree(d);
    cudaFree(d_bias);
    return !match;
}
