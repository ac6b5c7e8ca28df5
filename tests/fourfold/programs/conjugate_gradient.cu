// A system of a grid's Laplacian by conjugate gradients; scalars stay on the device.
#include "fourfold.cuh"

constexpr int kSide = 16, kCount = kSide * kSide;

__global__ void apply(const double* x, double* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, column = i % kSide, row = i / kSide;
    y[i] = 4.5 * x[i] - (column > 0 ? x[i - 1] : 0) - (column < kSide - 1 ? x[i + 1] : 0) -
           (row > 0 ? x[i - kSide] : 0) - (row < kSide - 1 ? x[i + kSide] : 0);
}

__global__ void dot(const double* a, const double* b, double* out) {
    __shared__ double sums[kCount];
    const int t = threadIdx.x;
    sums[t] = a[t] * b[t];
    for (int step = kCount / 2; step > 0; step /= 2) {
        __syncthreads();
        if (t < step) sums[t] += sums[t + step];
    }
    if (t == 0) *out = sums[0];
}

__global__ void advance(double* x, double* r, const double* p, const double* q, const double* rr, const double* pq) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double alpha = *rr / *pq;
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
}

__global__ void direction(double* p, const double* r, const double* now, double* before) {
    const int i = threadIdx.x;
    const double beta = *now / *before;
    p[i] = r[i] + beta * p[i];
    __syncthreads();
    if (i == 0) *before = *now;
}

int main() {
    const std::vector<double> solution = numbers<double>(kCount, -1, 1);
    const Buffer<double> known(solution), x(kCount), r(kCount), p(kCount), q(kCount), rr(1), pq(1), next(1);
    apply<<<4, 64>>>(known, r);
    CHECK(cudaMemcpy(p, r, kCount * sizeof(double), cudaMemcpyDeviceToDevice));
    dot<<<1, kCount>>>(r, r, rr);
    for (int i = 0; i < 25; ++i) {
        apply<<<4, 64>>>(p, q);
        dot<<<1, kCount>>>(p, q, pq);
        advance<<<4, 64>>>(x, r, p, q, rr, pq);
        dot<<<1, kCount>>>(r, r, next);
        direction<<<1, kCount>>>(p, r, next, rr);
    }
    return near("solution", x.host(), solution, 1e-6);
}
