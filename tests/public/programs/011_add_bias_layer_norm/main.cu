// Like zjin-lcf/HeCBench src/addBiasResidualLayerNorm-cuda (main.cu, kernels.h); flags: -std=c++17
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include "kernels.h"
template <typename T>
bool layer() {
    const int m = 5, n = 128, bytes = m * n * sizeof(T);
    std::mt19937 gen(19937);
    std::uniform_real_distribution<float> dis(0.f, 1.f);
    T *h = (T*)malloc(bytes), *bias = (T*)malloc(n * sizeof(T)), *d_in, *d_out, *d_bias;
    for (int i = 0; i < m * n; i++) h[i] = (T)dis(gen);
    for (int i = 0; i < n; i++) bias[i] = (T)dis(gen);
    cudaMalloc((void**)&d_in, bytes);
    cudaMalloc((void**)&d_out, bytes);
    cudaMalloc((void**)&d_bias, n * sizeof(T));
    cudaMemcpy(d_in, h, bytes, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, bytes);
    cudaMemcpy(d_bias, bias, n * sizeof(T), cudaMemcpyHostToDevice);
    layer_norm<T><<<dim3(m), dim3(std::min(n / 2, 256))>>>(d_out, d_in, d_bias, 1e-6f, n);
    cudaDeviceSynchronize();
    T* got = (T*)malloc(bytes);
    cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int r = 0; r < m; r++) {
        float sum = 0, squares = 0;
        for (int c = 0; c < n; c++)
            sum += to_float(got[r * n + c]), squares += to_float(got[r * n + c]) * to_float(got[r * n + c]);
        ok = ok && fabsf(sum / n) < 0.02f && fabsf(squares / n - 1) < 0.02f;
    }
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_bias);
    free(h);
    free(bias);
    free(got);
    return ok;
}
int main() {
    bool ok = layer<half>() && layer<__nv_bfloat16>();
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
