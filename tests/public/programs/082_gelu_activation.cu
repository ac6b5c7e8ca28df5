// Like douyixuan/cuda-by-example examples/gelu-activation/gelu-activation.cu; flags: -arch=sm_80
#include <math.h>
#include <stdio.h>
const int N = 512;
__global__ void gelu_exact(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * normcdff(x[i]);
}
__global__ void gelu_erf(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f));
}
__global__ void gelu_tanh(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0.5f * x[i] * (1.0f + tanhf(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}
int main() {
    float h[N], y[3][N], *d, *d_y;
    for (int i = 0; i < N; i++) h[i] = (i - N / 2) / 64.0f;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&d_y, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    gelu_exact<<<2, 256>>>(d, d_y, N);
    cudaMemcpy(y[0], d_y, sizeof h, cudaMemcpyDeviceToHost);
    gelu_erf<<<2, 256>>>(d, d_y, N);
    cudaMemcpy(y[1], d_y, sizeof h, cudaMemcpyDeviceToHost);
    gelu_tanh<<<2, 256>>>(d, d_y, N);
    cudaMemcpy(y[2], d_y, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < N; i++) {
        double want = 0.5 * h[i] * (1 + erf(h[i] / sqrt(2.0)));
        ok = ok && fabs(y[0][i] - want) < 1e-5 && fabs(y[1][i] - want) < 1e-5 && fabs(y[2][i] - want) < 2e-3;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d);
    cudaFree(d_y);
    return !ok;
}
