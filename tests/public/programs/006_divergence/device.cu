#include <cuda.h>
#include <chrono>
#include "shape.hpp"
__global__ void divergence(Shape shape, const double* __restrict__ vx, const double* __restrict__ vy,
                           double* __restrict__ out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x + 1 >= shape.nx || y + 1 >= shape.ny) return;
    const int i = y * shape.nx + x;
    out[i] =
        0.5 * (__ldg(vx + i + 1) - __ldg(vx + i - 1)) + 0.5 * (__ldg(vy + i + shape.nx) - __ldg(vy + i - shape.nx));
}
double divergence_device(Shape shape, const double* vx, const double* vy, double* out) {
    const size_t bytes = sizeof(double) * shape.nx * shape.ny;
    double* d[3];
    for (double*& p : d) cudaMalloc(&p, bytes);
    cudaMemcpy(d[0], vx, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d[1], vy, bytes, cudaMemcpyHostToDevice);
    cudaMemset(d[2], 0, bytes);
    const auto start = std::chrono::high_resolution_clock::now();
    divergence<<<dim3((shape.nx + 15) / 16, (shape.ny + 15) / 16), dim3(16, 16)>>>(shape, d[0], d[1], d[2]);
    cudaDeviceSynchronize();
    const std::chrono::duration<double> took = std::chrono::high_resolution_clock::now() - start;
    cudaMemcpy(out, d[2], bytes, cudaMemcpyDeviceToHost);
    for (double* p : d) cudaFree(p);
    return took.count();
}
