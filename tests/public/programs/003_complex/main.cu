// Like zjin-lcf/HeCBench src/complex-cuda (main.cu, complex.h, kernels.h); flags: -std=c++14
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
#include "complex.h"
#include "kernels.h"
bool check(const char* cs, int n) {
    for (int i = 0; i < n; i++)
        if (cs[i] != 5) return false;
    return true;
}
int main() {
    const int n = 1000;
    char *cs = (char*)malloc(n), *d_cs;
    cudaMalloc((void**)&d_cs, n);
    dim3 grids((n + 255) / 256), blocks(256);
    around<FloatPair><<<grids, blocks>>>(d_cs, n);
    cudaDeviceSynchronize();
    auto start = std::chrono::steady_clock::now();
    cudaMemcpy(cs, d_cs, n, cudaMemcpyDeviceToHost);
    bool ok = check(cs, n);
    around<DoublePair><<<grids, blocks>>>(d_cs, n);
    cudaMemcpy(cs, d_cs, n, cudaMemcpyDeviceToHost);
    auto end = std::chrono::steady_clock::now();
    ok = ok && check(cs, n) && end >= start;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_cs);
    free(cs);
    return !ok;
}
