// Like zjin-lcf/HeCBench src/lid-driven-cavity-cuda/main.cu; flags: -std=c++14 -Xcompiler -Wall
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
#define NUM 32
#define Real double
#define u(I, J) u[((I) * ((NUM) + 2)) + (J)]
#define pres_red(I, J) pres_red[((I) * ((NUM) + 2)) + (J)]
const Real omega = 1.7;
const Real dx = 1.0 / NUM;
__host__ void set_edges_host(Real* u) {
    for (int i = 0; i < NUM + 2; ++i) {
        u(0, i) = -u(1, i);
        u(i, NUM + 1) = 2.0 - u(i, NUM);
    }
}
__global__ void set_edges(Real* __restrict__ u) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < NUM + 2) {
        u(0, i) = -u(1, i);
    }
    __syncthreads();
    if (i < NUM + 2) u(i, NUM + 1) = 2.0 - u(i, NUM);
}
__global__ void relax(const Real* __restrict__ u, Real* __restrict__ pres_red, Real* sums) {
    __shared__ Real cache[NUM];
    int row = blockIdx.x + 1, col = threadIdx.x + 1;
    Real value = (1.0 - omega) * u(row, col) + omega * fabs(u(row, col + 1) - u(row - 1, col)) * dx;
    pres_red(row, col) = value;
    cache[threadIdx.x] = value * value;
    __syncthreads();
    for (int half = NUM >> 1; half != 0; half >>= 1) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = cache[0];
}
int main() {
    const int size = (NUM + 2) * (NUM + 2);
    Real* u = (Real*)calloc(size, sizeof(Real));
    for (int i = 0; i < size; i++) u[i] = sin(0.1 * i);
    Real *u_d, *pres_d, *sums_d, sums[NUM];
    cudaMalloc((void**)&u_d, size * sizeof(Real));
    cudaMalloc((void**)&pres_d, size * sizeof(Real));
    cudaMalloc((void**)&sums_d, NUM * sizeof(Real));
    cudaMemcpy(u_d, u, size * sizeof(Real), cudaMemcpyHostToDevice);
    cudaMemset(pres_d, 0, size * sizeof(Real));
    auto start = std::chrono::steady_clock::now();
    set_edges<<<1, 64>>>(u_d);
    relax<<<NUM, NUM>>>(u_d, pres_d, sums_d);
    cudaDeviceSynchronize();
    auto end = std::chrono::steady_clock::now();
    cudaMemcpy(sums, sums_d, sizeof(sums), cudaMemcpyDeviceToHost);
    set_edges_host(u);
    Real want = 0, got = 0;
    for (int i = 1; i <= NUM; i++) {
        got += sums[i - 1];
        for (int j = 1; j <= NUM; j++) {
            Real value = (1.0 - omega) * u(i, j) + omega * fabs(u(i, j + 1) - u(i - 1, j)) * dx;
            want += value * value;
        }
    }
    printf("took %ld ns\n", (long)std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count());
    bool ok = fabs(want - got) < 1e-9;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(u_d);
    cudaFree(pres_d);
    cudaFree(sums_d);
    free(u);
    return ok ? 0 : 1;
}
