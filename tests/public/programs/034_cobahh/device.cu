#include <cuda.h>
#include <stdio.h>
#include "neuron.h"
__global__ void update(float* __restrict__ v, float* __restrict__ m, float* __restrict__ last, char* __restrict__ rests,
                       int n, float t, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) step(v + i, m + i, last + i, rests + i, t, dt);
}
void update_device(float* v, float* m, float* last, char* rests, int n, int steps) {
    float *d_v, *d_m, *d_last;
    char* d_rests;
    cudaMalloc((void**)&d_v, n * sizeof(float));
    cudaMalloc((void**)&d_m, n * sizeof(float));
    cudaMalloc((void**)&d_last, n * sizeof(float));
    cudaMalloc((void**)&d_rests, n);
    cudaMemcpy(d_v, v, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_m, m, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_last, last, n * sizeof(float), cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; s++) update<<<(n + 255) / 256, 256>>>(d_v, d_m, d_last, d_rests, n, 0.001f * s, 0.001f);
    cudaDeviceSynchronize();
    cudaMemcpy(v, d_v, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(m, d_m, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(rests, d_rests, n, cudaMemcpyDeviceToHost);
    cudaFree(d_v);
    cudaFree(d_m);
    cudaFree(d_last);
    cudaFree(d_rests);
}
