// Like zjin-lcf/HeCBench src/fwt-cuda (main.cu, kernels.cu, reference.cpp); flags: -std=c++14
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <chrono>
extern "C" void walsh_host(float* data, int log2n);
#include "kernels.cuh"
const int log2n = 11;
const int n = 1 << log2n;
int main() {
    float *h = (float*)malloc(n * sizeof(float)), *back = (float*)malloc(n * sizeof(float)), *d;
    srand(123);
    for (int i = 0; i < n; i++) h[i] = rand() % 16;
    cudaMalloc((void**)&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    walsh_step<<<n / 2 / 128, 128>>>(d, n / 2);
    walsh_shared<<<2, 128, n / 2 * sizeof(float)>>>(d, log2n - 1);
    cudaDeviceSynchronize();
    cudaMemcpy(back, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    walsh_host(h, log2n);
    int wrong = memcmp(h, back, n * sizeof(float));
    printf(wrong ? "FAIL\n" : "PASS\n");
    cudaFree(d);
    free(h);
    free(back);
    return wrong != 0;
}
