// Like zjin-lcf/HeCBench src/hellinger-cuda/main.cu; flags: -std=c++14 -DDOUBLE_PRECISION
#include <cuda.h>
#include <chrono>
#include <cmath>
#include <iostream>
#include <new>
#ifdef DOUBLE_PRECISION
#define SQRT sqrt
#define FP double
#else
#define SQRT sqrtf
#define FP float
#endif
constexpr int M = 24, N = 48, P = 40;
__global__ void hellinger(const FP* __restrict__ a, const FP* __restrict__ b, FP* __restrict__ c, const int m,
                          const int n, const int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < k && row < m) {
        FP sum = 0;
        for (int i = 0; i < n; i++) sum += SQRT(a[row * n + i] * b[i * k + col]);
        const FP value = (FP)1.0 - sum;
        const FP gate = (!signbit(value));
        c[row * k + col] = SQRT(gate * value);
    }
}
int main(int argc, char** argv) {
    FP(*a)[N] = new FP[M][N], (*b)[P] = new FP[N][P], (*c)[P] = new FP[M][P];
    srand(123);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) a[i][j] = (FP)1.0 / N;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < P; j++) b[i][j] = rand() % 256 / (FP)(256 * N);
    FP *d_a, *d_b, *d_c;
    cudaMalloc((void**)&d_a, sizeof(FP) * M * N);
    cudaMalloc((void**)&d_b, sizeof(FP) * N * P);
    cudaMalloc((void**)&d_c, sizeof(FP) * M * P);
    cudaMemcpy(d_a, a, sizeof(FP) * M * N, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(FP) * N * P, cudaMemcpyHostToDevice);
    auto start = std::chrono::steady_clock::now();
    hellinger<<<dim3((P + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, M, N, P);
    cudaDeviceSynchronize();
    auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    std::cout << "took " << (time * 1e-9f) << " (s)\n";
    cudaMemcpy(c, d_c, sizeof(FP) * M * P, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < P; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += std::sqrt(a[i][k] * b[k][j]);
            ok = ok && std::fabs(std::sqrt(std::max(0.0, 1 - sum)) - c[i][j]) < 1e-3;
        }
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    delete[] a;
    delete[] b;
    delete[] c;
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return ok ? 0 : 1;
}
