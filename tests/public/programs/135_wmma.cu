// Like AkshDesai04/CUDA Advanced_ModernFeatures_04_B.cu; flags: -arch=sm_70
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <iostream>
using namespace nvcuda;
__global__ void multiply(const half* A, const half* B, float* C) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    wmma::load_matrix_sync(a, A, 16);
    wmma::load_matrix_sync(b, B, 16);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}
int main() {
    half h[256], *d_A, *d_B;
    float C[256], *d_C;
    for (half& v : h) v = __float2half(1.0f);
    cudaMalloc((void**)&d_A, sizeof h);
    cudaMalloc((void**)&d_B, sizeof h);
    cudaMalloc((void**)&d_C, sizeof C);
    cudaMemcpy(d_A, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(d_B, h, sizeof h, cudaMemcpyHostToDevice);
    multiply<<<1, 32>>>(d_A, d_B, d_C);
    cudaMemcpy(C, d_C, sizeof C, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (float v : C) ok = ok && v == 16.0f;
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    cudaFree(d_A);
    cudaFree(d_B);
    cudaFree(d_C);
    return !ok;
}
