// The runtime's form of driver_program.cpp.
#include <cstdio>
#include <vector>

#include "vector_add.cuh"

int main() {
    constexpr int n = 5000;
    std::vector<float> a(n, 1.0f), b(n, 2.0f), c(n);
    float *x = nullptr, *y = nullptr, *z = nullptr;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&z, n * sizeof(float));
    cudaMemcpy(x, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(y, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    cudaMemcpy(c.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", c[0], c[n - 1]);
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    return c[n - 1] == 3.0f ? 0 : 1;
}
