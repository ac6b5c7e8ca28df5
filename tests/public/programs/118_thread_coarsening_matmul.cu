// Like tugot17/pmpp chapter-6/code/thread_coaersing_matmul.cu
#include <cuda_runtime.h>
#include <cmath>
#include <iostream>
#define TILE 8
#define COARSE 4
__global__ void coarse(float* M, float* N, float* P, int width) {
    __shared__ float Ms[TILE][TILE], Ns[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col0 = blockIdx.x * TILE * COARSE + tx;
    float sums[COARSE] = {};
    for (int ph = 0; ph < width / TILE; ph++) {
        Ms[ty][tx] = M[row * width + ph * TILE + tx];
        for (int c = 0; c < COARSE; c++) {
            Ns[ty][tx] = N[(ph * TILE + ty) * width + col0 + c * TILE];
            __syncthreads();
            for (int k = 0; k < TILE; k++) sums[c] += Ms[ty][k] * Ns[k][tx];
            __syncthreads();
        }
    }
    for (int c = 0; c < COARSE; c++) P[row * width + col0 + c * TILE] = sums[c];
}
int main() {
    const int w = 32, n = w * w;
    float M[n], N[n], P[n], *d[3];
    for (int i = 0; i < n; i++) M[i] = i % 7, N[i] = i % 4;
    for (float*& p : d) cudaMalloc((void**)&p, sizeof M);
    cudaMemcpy(d[0], M, sizeof M, cudaMemcpyHostToDevice);
    cudaMemcpy(d[1], N, sizeof N, cudaMemcpyHostToDevice);
    coarse<<<dim3(w / (TILE * COARSE), w / TILE), dim3(TILE, TILE)>>>(d[0], d[1], d[2], w);
    cudaMemcpy(P, d[2], sizeof P, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < w; k++) sum += M[i / w * w + k] * N[k * w + i % w];
        ok = ok && sum == P[i];
    }
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    for (float* p : d) cudaFree(p);
    return !ok;
}
