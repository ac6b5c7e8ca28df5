// Like zjin-lcf/HeCBench src/burger-cuda (main.cu, kernels.h); flags: -O3
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <chrono>
#define idx(i, j) ((i)*points + (j))
const int points = 40;
__host__ __device__ double ahead(const double* u, int i, int j, double nu, double dt, double h) {
    return u[idx(i, j)] + nu * dt / (h * h) * (u[idx(i, j + 1)] + u[idx(i, j - 1)] - 2 * u[idx(i, j)]) -
           dt / h * u[idx(i, j)] * (u[idx(i, j)] - u[idx(i, j - 1)]);
}
__global__ void core(double* __restrict__ next, const double* __restrict__ u, double nu, double dt, double h) {
    int i = threadIdx.y + blockIdx.y * blockDim.y + 1, j = threadIdx.x + blockIdx.x * blockDim.x + 1;
    if (j < points - 1 && i < points - 1) next[idx(i, j)] = ahead(u, i, j, nu, dt, h);
}
__global__ void bound(double* __restrict__ next) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < points) next[idx(0, i)] = next[idx(points - 1, i)] = next[idx(i, 0)] = next[idx(i, points - 1)] = 1.0;
}
__global__ void update(double* __restrict__ u, const double* __restrict__ next, const int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) u[i] = next[i];
}
int main() {
    const int n = points * points;
    const double h = 2.0 / (points - 1), nu = 0.01, dt = 0.0009 * h * h / nu;
    double u[n], next[n], got[n], *d_u, *d_next;
    for (int i = 0; i < n; i++)
        u[i] = (i % points > 10 && i % points < 20 && i / points > 10 && i / points < 20) ? 2.0 : 1.0;
    memcpy(next, u, sizeof u);
    cudaMalloc((void**)&d_u, sizeof u);
    cudaMalloc((void**)&d_next, sizeof u);
    cudaMemcpy(d_u, u, sizeof u, cudaMemcpyHostToDevice);
    cudaMemcpy(d_next, next, sizeof u, cudaMemcpyHostToDevice);
    auto start = std::chrono::steady_clock::now();
    for (int t = 0; t < 10; t++) {
        core<<<dim3(3, 3), dim3(16, 16)>>>(d_next, d_u, nu, dt, h);
        bound<<<1, 64>>>(d_next);
        update<<<(n + 255) / 256, 256>>>(d_u, d_next, n);
        for (int i = 1; i < points - 1; i++)
            for (int j = 1; j < points - 1; j++) next[idx(i, j)] = ahead(u, i, j, nu, dt, h);
        for (int i = 0; i < points; i++)
            next[idx(0, i)] = next[idx(points - 1, i)] = next[idx(i, 0)] = next[idx(i, points - 1)] = 1.0;
        memcpy(u, next, sizeof u);
    }
    cudaDeviceSynchronize();
    printf("%ld\n", (long)(std::chrono::steady_clock::now() - start).count());
    cudaMemcpy(got, d_u, sizeof u, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < n; i++) ok = ok && fabs(got[i] - u[i]) < 1e-6;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d_u);
    cudaFree(d_next);
    return !ok;
}
