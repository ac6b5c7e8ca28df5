// Like NVIDIA/cuda-samples 2_Concepts_and_Techniques/reduction (reduction.cpp, reduction_kernel.cu, reduction.h);
// flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <algorithm>
#include "reduction.h"
template <class T>
bool runTest(int n, int which) {
    const int threads = 128, blocks = (n + threads - 1) / threads;
    T *h = (T*)malloc(n * sizeof(T)), *out = (T*)malloc(blocks * sizeof(T)), *d, *d_out, want = 0, got = 0;
    for (int i = 0; i < n; i++) want += h[i] = (T)(rand() & 0xFF);
    checkCudaErrors(cudaMalloc((void**)&d, n * sizeof(T)));
    checkCudaErrors(cudaMalloc((void**)&d_out, blocks * sizeof(T)));
    checkCudaErrors(cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice));
    reduce<T>(n, threads, blocks, which, d, d_out);
    getLastCudaError("Kernel execution failed");
    checkCudaErrors(cudaMemcpy(out, d_out, blocks * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks; i++) got += out[i];
    checkCudaErrors(cudaFree(d));
    checkCudaErrors(cudaFree(d_out));
    free(h);
    free(out);
    return got == want;
}
int main() {
    bool ok = runTest<int>(1000, 0) && runTest<int>(1000, 1) && runTest<double>(700, 0) && runTest<double>(700, 1) &&
              isPow2(64);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
