// Like zjin-lcf/HeCBench babelstream-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>
#define TBSIZE 128
#define DOT_BLOCKS 4
template <typename T>
__global__ void mul(T* __restrict__ b, const T* __restrict__ c) {
    const size_t i = blockDim.x * blockIdx.x + threadIdx.x;
    b[i] = (T)0.4 * c[i];
}
template <typename T>
__global__ void triad(T* __restrict__ a, const T* __restrict__ b, const T* __restrict__ c) {
    const size_t i = blockDim.x * blockIdx.x + threadIdx.x;
    a[i] = b[i] + (T)0.4 * c[i];
}
template <typename T>
__global__ void dot(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ sum, size_t n) {
    __shared__ T tb_sum[TBSIZE];
    size_t i = blockDim.x * blockIdx.x + threadIdx.x;
    const size_t local_i = threadIdx.x;
    tb_sum[local_i] = {};
    for (; i < n; i += blockDim.x * gridDim.x) tb_sum[local_i] += a[i] * b[i];
    for (size_t offset = blockDim.x / 2; offset > 0; offset /= 2) {
        __syncthreads();
        if (local_i < offset) tb_sum[local_i] += tb_sum[local_i + offset];
    }
    if (local_i == 0) sum[blockIdx.x] = tb_sum[local_i];
}
template <typename T>
bool stream(size_t n) {
    std::vector<T> a(n, 0.1), b(n, 0.2), c(n, 0.3), sums(DOT_BLOCKS);
    std::vector<std::vector<double>> timings(1);
    T *d_a, *d_b, *d_c, *d_sum;
    cudaMalloc(&d_a, n * sizeof(T));
    cudaMalloc(&d_b, n * sizeof(T));
    cudaMalloc(&d_c, n * sizeof(T));
    cudaMalloc(&d_sum, DOT_BLOCKS * sizeof(T));
    cudaMemcpy(d_c, c.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    auto t1 = std::chrono::high_resolution_clock::now();
    mul<<<n / TBSIZE, TBSIZE>>>(d_b, d_c);
    triad<<<n / TBSIZE, TBSIZE>>>(d_a, d_b, d_c);
    dot<<<DOT_BLOCKS, TBSIZE>>>(d_a, d_b, d_sum, n);
    cudaMemcpy(sums.data(), d_sum, DOT_BLOCKS * sizeof(T), cudaMemcpyDeviceToHost);
    timings[0].push_back(
        std::chrono::duration_cast<std::chrono::duration<double>>(std::chrono::high_resolution_clock::now() - t1)
            .count());
    T sum = std::accumulate(sums.begin(), sums.end(), (T)0);
    double want = 0.24 * 0.12 * n, err = std::fabs((sum - want) / want);
    std::cout << std::left << std::setw(12) << "Dot" << std::fixed << std::setprecision(5) << err << std::endl;
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    cudaFree(d_sum);
    return err < std::numeric_limits<T>::epsilon() * 1000;
}
int main() {
    bool ok = stream<float>(2048) && stream<double>(2048);
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    return !ok;
}
