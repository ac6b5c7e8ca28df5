// Like tugot17/pmpp chapter-5/code/matrix_mul_with_optimal_dynamic_tile_size.cu
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
int tile_width(int m, int n, int o) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    int w = static_cast<int>(sqrt(prop.maxThreadsPerBlock));
    w = std::min(w, std::min(prop.maxThreadsDim[0], prop.maxThreadsDim[1]));
    w = std::min(w, static_cast<int>(sqrt(prop.sharedMemPerBlock / (2 * sizeof(float)))));
    w = std::min(w, std::min(m, std::min(n, o)));
    return std::max(8, 1 << static_cast<int>(log2(w)));
}
__global__ void tiled(float* M, float* N, float* P, int m, int n, int o, int w) {
    extern __shared__ float shared[];
    float *Ms = shared, *Ns = &shared[w * w];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * w + ty, col = blockIdx.x * w + tx;
    float sum = 0.0;
    for (int ph = 0; ph < (n + w - 1) / w; ph++) {
        Ms[ty * w + tx] = row < m && ph * w + tx < n ? M[row * n + ph * w + tx] : 0.0f;
        Ns[ty * w + tx] = ph * w + ty < n && col < o ? N[(ph * w + ty) * o + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < w; k++) sum += Ms[ty * w + k] * Ns[k * w + tx];
        __syncthreads();
    }
    if (row < m && col < o) P[row * o + col] = sum;
}
float benchmark(void (*func)(float*, float*, float*, int, int, int), float* M, float* N, float* P, int m, int n,
                int o) {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    func(M, N, P, m, n, o);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return ms;
}
void multiply(float* M, float* N, float* P, int m, int n, int o) {
    float *d_M, *d_N, *d_P;
    int w = tile_width(m, n, o);
    cudaMalloc((void**)&d_M, m * n * sizeof(float));
    cudaMalloc((void**)&d_N, n * o * sizeof(float));
    cudaMalloc((void**)&d_P, m * o * sizeof(float));
    cudaMemcpy(d_M, M, m * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_N, N, n * o * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(w, w), grid((o + block.x - 1) / block.x, (m + block.y - 1) / block.y);
    tiled<<<grid, block, 2 * w * w * sizeof(float)>>>(d_M, d_N, d_P, m, n, o, w);
    cudaMemcpy(P, d_P, m * o * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_M);
    cudaFree(d_N);
    cudaFree(d_P);
}
int main() {
    const int m = 30, n = 41, o = 25;
    float *M = new float[m * n], *N = new float[n * o], *P = new float[m * o];
    for (int i = 0; i < m * n; ++i) M[i] = static_cast<float>(i % 5);
    for (int i = 0; i < n * o; ++i) N[i] = static_cast<float>(i % 3) - 1;
    std::cout << std::setw(8) << benchmark(multiply, M, N, P, m, n, o) << " ms" << std::endl;
    bool ok = true;
    for (int i = 0; i < m * o; i++) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += M[i / o * n + k] * N[k * o + i % o];
        ok = ok && sum == P[i];
    }
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    delete[] M;
    delete[] N;
    delete[] P;
    return !ok;
}
