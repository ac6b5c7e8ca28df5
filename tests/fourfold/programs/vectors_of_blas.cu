// The first level of a library: axpy, scal, swap, asum, nrm2, with strides of elements.
#include "fourfold.cuh"

template <class T>
__global__ void axpy(int n, T a, const T* x, int dx, T* y, int dy) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i * dy] += a * x[i * dx];
}
template <class T>
__global__ void swap(int n, T* x, T* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const T kept = x[i];
    x[i] = y[i];
    y[i] = kept;
}
__global__ void sums(int n, const double* x, double* magnitude, double* squares) {
    double m = 0, s = 0;
    for (int i = threadIdx.x; i < n; i += 32) m += fabs(x[i]), s = fma(x[i], x[i], s);
    for (int offset = 16; offset; offset /= 2) {
        m += __shfl_down_sync(~0u, m, offset);
        s += __shfl_down_sync(~0u, s, offset);
    }
    if (threadIdx.x == 0) *magnitude = m, *squares = sqrt(s);
}

int main() {
    constexpr int n = 600;
    std::vector<double> x = numbers<double>(n, -1, 1), y = numbers<double>(n, -1, 1, 2);
    const Buffer<double> dx(x), dy(y), asum(1), nrm2(1);
    axpy<<<4, 64>>>(n, 3.0, dx.at, 1, dy.at, 1);
    axpy<<<4, 64>>>(n / 3, -1.0, dx.at, 2, dy.at, 3);
    swap<<<10, 64>>>(n, dx.at, dy.at);
    sums<<<1, 32>>>(n, dx, asum, nrm2);
    double m = 0, s = 0;
    for (int i = 0; i < n; ++i) y[i] += 3 * x[i];
    for (int i = 0; i < n / 3; ++i) y[i * 3] -= x[i * 2];
    for (const double each : y) m += std::fabs(each), s += each * each;
    return near("x", dx.host(), y, 1e-12) + near("y", dy.host(), x, 1e-12) + near("asum", asum.host(), {m}, 1e-12) +
           near("nrm2", nrm2.host(), {std::sqrt(s)}, 1e-12);
}
