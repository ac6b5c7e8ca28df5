// Like zjin-lcf/HeCBench src/minkowski-cuda (main.cu, verify.cpp); flags: -std=c++17 -DVERIFY
#include <cuda.h>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
using namespace std;
constexpr int M = 20, N = 24, K = 36;
template <int m, int n, int k>
__global__ void minkowski(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                          const float p, const float one_over_p) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < k && row < m) {
        float sum = 0;
        for (int i = 0; i < n; i++) sum += powf(fabsf(a[row * n + i] - b[i * k + col]), p);
        c[row * k + col] = powf(sum, one_over_p);
    }
}
int main() {
    float(*a)[N] = new float[M][N], (*b)[K] = new float[N][K], (*c)[K] = new float[M][K];
    srand(123);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) a[i][j] = 1.f / N;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < K; j++) b[i][j] = rand() % 256 / 256.f;
    float *d_a, *d_b, *d_c;
    cudaMalloc((void**)&d_a, sizeof(float) * M * N);
    cudaMalloc((void**)&d_b, sizeof(float) * N * K);
    cudaMalloc((void**)&d_c, sizeof(float) * M * K);
    cudaMemcpy(d_a, a, sizeof(float) * M * N, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(float) * N * K, cudaMemcpyHostToDevice);
    bool ok = true;
    for (int k = 1; k <= 3; k++) {
        minkowski<M, N, K><<<dim3((K + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, (float)k, 1.f / k);
        cudaDeviceSynchronize();
        cudaMemcpy(c, d_c, sizeof(int) * M * K, cudaMemcpyDeviceToHost);
#ifdef VERIFY
        for (int i = 0; i < M; i++)
            for (int j = 0; j < K; j++) {
                double sum = 0;
                for (int l = 0; l < N; l++) sum += pow(fabs(a[i][l] - b[l][j]), k);
                ok = ok && fabs(pow(sum, 1.0 / k) - c[i][j]) < 1e-3;
            }
#endif
    }
    cout << (ok ? "PASS" : "FAIL") << endl;
    delete[] a;
    delete[] b;
    delete[] c;
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return !ok;
}
