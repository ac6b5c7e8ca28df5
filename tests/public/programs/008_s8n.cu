// Like zjin-lcf/HeCBench src/s8n-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <chrono>
#include <random>
template <int K>
__host__ __device__ void nearest(int i, int n, int radius, const int* xyz, int* out) {
    int best[8 * K];
    for (int j = 0; j < 8 * K; j++) best[j] = radius, out[i * 8 * K + j] = i;
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        int dx = xyz[3 * j] - xyz[3 * i], dy = xyz[3 * j + 1] - xyz[3 * i + 1], dz = xyz[3 * j + 2] - xyz[3 * i + 2];
        int dist = dx * dx + dy * dy + dz * dz;
        if (dist > radius) continue;
        int at = ((dx > 0) * 4 + (dy > 0) * 2 + (dz > 0)) * K;
        for (int k = 0; k < K; k++)
            if (dist < best[at + k]) {
                for (int m = K - 1; m > k; m--)
                    best[at + m] = best[at + m - 1], out[i * 8 * K + at + m] = out[i * 8 * K + at + m - 1];
                best[at + k] = dist;
                out[i * 8 * K + at + k] = j;
                break;
            }
    }
}
template <int K>
__global__ void select(int n, int radius, const int* xyz, int* out) {
    xyz += blockIdx.x * n * 3;
    out += blockIdx.x * n * 8 * K;
    for (int i = threadIdx.x; i < n; i += blockDim.x) nearest<K>(i, n, radius, xyz, out);
}
int main() {
    const int b = 2, n = 70, radius = 5000;
    std::default_random_engine g(123);
    std::uniform_int_distribution<> distr(-64, 63);
    int h[b * n * 3], got[b * n * 16], want[b * n * 16], *d_xyz, *d_out;
    for (int& value : h) value = distr(g);
    cudaMalloc((void**)&d_xyz, sizeof(h));
    cudaMalloc((void**)&d_out, sizeof(got));
    cudaMemcpy(d_xyz, h, sizeof(h), cudaMemcpyHostToDevice);
    auto start = std::chrono::steady_clock::now();
    select<2><<<b, 64>>>(n, radius, d_xyz, d_out);
    cudaDeviceSynchronize();
    printf("%ld\n", (long)(std::chrono::steady_clock::now() - start).count());
    cudaMemcpy(got, d_out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < b; i++)
        for (int j = 0; j < n; j++) nearest<2>(j, n, radius, h + i * n * 3, want + i * n * 16);
    int error = memcmp(got, want, sizeof(got));
    select<1><<<b, 64>>>(n, radius, d_xyz, d_out);
    error += cudaDeviceSynchronize() != cudaSuccess;
    printf("%s\n", error ? "FAIL" : "PASS");
    cudaFree(d_xyz);
    cudaFree(d_out);
    return error != 0;
}
