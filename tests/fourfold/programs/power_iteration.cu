// The largest eigenvalue of a symmetric matrix: product, norm, scale, until it stands.
#include "fourfold.cuh"

__device__ double norm_squared;

__global__ void multiply(const double* a, const double* x, double* y, int n) {
    const int row = blockIdx.x, lane = threadIdx.x;
    double sum = 0;
    for (int i = lane; i < n; i += 32) sum += a[row * n + i] * x[i];
    for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
    if (lane == 0) y[row] = sum;
}

__global__ void measure(const double* y, int n) {
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += y[i] * y[i];
    for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
    if (threadIdx.x == 0) norm_squared = sum;
}

__global__ void scale(const double* y, double* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = y[i] * rsqrt(norm_squared);
}

int main() {
    constexpr int n = 24;
    std::vector<double> a(n * n), x(n, 1.0), y(n);
    const std::vector<double> r = numbers<double>(n * n, 0, 1);
    for (int i = 0; i < n * n; ++i) a[i] = r[i] + r[i % n * n + i / n];
    const Buffer<double> da(a), dx(x), dy(n);
    double found = 0, known = 0;
    for (int step = 0; step < 12; ++step) {
        multiply<<<n, 32>>>(da, dx, dy, n);
        measure<<<1, 32>>>(dy, n);
        scale<<<1, 32>>>(dy, dx, n);
        double sum = 0;
        for (int i = 0; i < n; ++i) {
            y[i] = 0;
            for (int k = 0; k < n; ++k) y[i] += a[i * n + k] * x[k];
            sum += y[i] * y[i];
        }
        for (int i = 0; i < n; ++i) x[i] = y[i] / std::sqrt(sum);
        known = std::sqrt(sum);
    }
    CHECK(cudaMemcpyFromSymbol(&found, norm_squared, sizeof found));
    return near("eigenvalue", std::vector<double>{std::sqrt(found)}, {known}, 1e-9) +
           near("eigenvector", dx.host(), x, 1e-9);
}
