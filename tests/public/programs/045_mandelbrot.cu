// Like zjin-lcf/HeCBench mandelbrot-cuda (main.cu, mandel.hpp, util.hpp); flags: -std=c++14
#include <cuda.h>
#include <chrono>
#include <cmath>
#include <complex>
#include <iostream>
#include <limits>
#include <thread>
#include <vector>
struct MandelParameters {
    int rows, cols, most;
    typedef std::complex<float> ComplexF;
    __host__ __device__ MandelParameters(int r, int c, int m) : rows(r), cols(c), most(m) {}
    __host__ __device__ float scale_row(int i) const { return -1.5f + i * (2.0f / rows); }
    __host__ __device__ float scale_col(int j) const { return -1.0f + j * (2.0f / cols); }
    __host__ __device__ int point(float cr, float ci) const {
        int count = 0;
        float x = 0, y = 0;
        for (int i = 0; i < most; ++i) {
            const float r = x * x, m = y * y;
            if (r + m >= 4.0f) break;
            y = 2 * x * y + ci;
            x = r - m + cr;
            count++;
        }
        return count;
    }
};
__global__ void parallel(const MandelParameters p, int* data) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows && j < p.cols) data[i * p.cols + j] = p.point(p.scale_row(i), p.scale_col(j));
}
int main() {
    const MandelParameters p(60, 50, 40);
    std::vector<int> data(p.rows * p.cols);
    int* d;
    cudaMalloc(&d, data.size() * sizeof(int));
    auto start = std::chrono::high_resolution_clock::now();
    parallel<<<dim3((p.cols + 15) / 16, (p.rows + 15) / 16), dim3(16, 16)>>>(p, d);
    cudaMemcpy(data.data(), d, data.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::cout << std::chrono::duration<double>(std::chrono::high_resolution_clock::now() - start).count() << " s\n";
    int diff = 0;
    for (int i = 0; i < p.rows; i++)
        for (int j = 0; j < p.cols; j++) diff += data[i * p.cols + j] != p.point(p.scale_row(i), p.scale_col(j));
    cudaFree(d);
    bool ok = diff < p.rows * p.cols / 100;
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    return !ok;
}
