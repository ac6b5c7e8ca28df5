// Like zjin-lcf/HeCBench src/gels-cuda/main.cu; flags: -std=c++17 -lcublas
#include <cublas_v2.h>
#include <cuda.h>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <iostream>
int main() {
    cublasHandle_t h;
    if (cublasCreate(&h) != CUBLAS_STATUS_SUCCESS) return EXIT_FAILURE;
    double *a, *b, **pa, **pb;
    int info;
    cudaMalloc((void**)&a, 25 * sizeof(double));
    cudaMalloc((void**)&b, 5 * sizeof(double));
    cudaMalloc((void**)&pa, sizeof(double*));
    cudaMalloc((void**)&pb, sizeof(double*));
    cudaMemcpy(pa, &a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(pb, &b, sizeof b, cudaMemcpyHostToDevice);
    cublasDgelsBatched(h, CUBLAS_OP_N, 5, 5, 1, pa, 5, pb, 5, &info, NULL, 1);
    cublasDestroy(h);
    std::cout << "PASS" << std::endl;
}
