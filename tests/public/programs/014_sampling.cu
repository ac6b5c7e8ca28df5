// Like zjin-lcf/HeCBench src/sampling-cuda (main.cu, kernels.cu); flags: -std=c++14
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
#include <cmath>
#include <vector>
__device__ double next_double(uint64_t* seed) {
    const uint64_t m = 9223372036854775808ULL, a = 2806196910506780709ULL;
    *seed = (a * (*seed) + 1ULL) % m;
    return (double)(*seed) / (double)m;
}
template <typename DataT, typename IdxT>
__global__ void sampled_rows(const IdxT* __restrict__ wanted, float* __restrict__ X, const IdxT ncols,
                             DataT* __restrict__ background, DataT* __restrict__ dataset, uint64_t seed) {
    seed += threadIdx.x * 7919 + blockIdx.x * 104729;
    if (threadIdx.x < wanted[blockIdx.x]) {
        int at = (int)(next_double(&seed) * ncols);
        while (atomicExch(&X[blockIdx.x * ncols + at], 1) == 1) at = (int)(next_double(&seed) * ncols);
    }
    __syncthreads();
    for (int col = threadIdx.x; col < ncols; col += blockDim.x)
        dataset[blockIdx.x * ncols + col] = X[blockIdx.x * ncols + col] == 0 ? background[col] : (DataT)-1;
}
struct Dataset {
    int rows, cols;
    uint64_t seed;
};
int main() {
    const std::vector<Dataset> inputs = {{6, 200, 1234ULL}, {3, 50, 99ULL}};
    bool ok = true;
    double time = 0;
    for (auto params : inputs) {
        std::vector<int> wanted(params.rows);
        std::vector<float> X(params.rows * params.cols), b(params.cols, 3.f), data(X.size());
        for (int i = 0; i < params.rows; i++) wanted[i] = 11 - i % 2;
        int* d_n;
        float *d_X, *d_b, *d_d;
        cudaMalloc((void**)&d_n, sizeof(int) * params.rows);
        cudaMalloc((void**)&d_X, sizeof(float) * X.size());
        cudaMalloc((void**)&d_b, sizeof(float) * params.cols);
        cudaMalloc((void**)&d_d, sizeof(float) * X.size());
        cudaMemcpy(d_n, wanted.data(), sizeof(int) * params.rows, cudaMemcpyHostToDevice);
        cudaMemcpy(d_X, X.data(), sizeof(float) * X.size(), cudaMemcpyHostToDevice);
        cudaMemcpy(d_b, b.data(), sizeof(float) * params.cols, cudaMemcpyHostToDevice);
        auto start = std::chrono::steady_clock::now();
        sampled_rows<<<params.rows, std::min(64, params.cols)>>>(d_n, d_X, params.cols, d_b, d_d, params.seed);
        cudaDeviceSynchronize();
        time += std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
        cudaMemcpy(X.data(), d_X, sizeof(float) * X.size(), cudaMemcpyDeviceToHost);
        cudaMemcpy(data.data(), d_d, sizeof(float) * X.size(), cudaMemcpyDeviceToHost);
        for (int r = 0; r < params.rows; r++) {
            int ones = 0, replaced = 0;
            for (int c = 0; c < params.cols; c++)
                ones += X[r * params.cols + c] == 1, replaced += data[r * params.cols + c] == -1;
            ok = ok && ones == wanted[r] && replaced == ones;
        }
        cudaFree(d_n);
        cudaFree(d_X);
        cudaFree(d_b);
        cudaFree(d_d);
    }
    printf("%f us\n%s\n", time * 1e-3, ok ? "PASS" : "FAIL");
    return !ok;
}
