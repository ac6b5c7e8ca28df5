// Like zjin-lcf/HeCBench src/blas-gemm-cuda/main.cu; flags: -std=c++17 -lcublas
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <type_traits>
int main() {
    const int n = 16;
    float *a, *b, *c, alpha = 2.0f, beta = 0.5f;
    cudaMalloc((void**)&a, n * n * sizeof(float));
    cudaMalloc((void**)&b, n * n * sizeof(float));
    cudaMalloc((void**)&c, n * n * sizeof(float));
    cublasHandle_t h;
    cublasCreate(&h);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, b, n, a, n, &beta, c, n);
    cudaDeviceSynchronize();
    cublasDestroy(h);
    std::cout << "PASS" << std::endl;
}
