// Many small products, by a stride and by a list of pointers.
#include "fourfold.cuh"

template <int N>
__device__ void small(const double* a, const double* b, double* c) {
    const int r = threadIdx.x / N, q = threadIdx.x % N;
    double sum = 0;
#pragma unroll
    for (int k = 0; k < N; ++k) sum += a[r * N + k] * b[k * N + q];
    c[r * N + q] = sum;
}

template <int N>
__global__ void strided(const double* a, const double* b, double* c) {
    const int at = blockIdx.x * N * N;
    small<N>(a + at, b + at, c + at);
}

template <int N>
__global__ void listed(const double* const* a, const double* const* b, double* const* c) {
    small<N>(a[blockIdx.x], b[blockIdx.x], c[blockIdx.x]);
}

int main() {
    constexpr int n = 6, count = 30;
    const std::vector<double> a = numbers<double>(count * n * n, -3, 3), b = numbers<double>(count * n * n, -3, 3, 4);
    std::vector<double> expected(count * n * n);
    for (int i = 0; i < count * n * n; ++i)
        for (int k = 0; k < n; ++k) expected[i] += a[i / n * n + k] * b[i / (n * n) * n * n + k * n + i % n];
    const Buffer<double> da(a), db(b), c(a.size()), d(a.size());
    std::vector<const double*> as, bs;
    std::vector<double*> ds;
    for (int i = 0; i < count; ++i) {
        as.push_back(da + i * n * n);
        bs.push_back(db + i * n * n);
        ds.push_back(d + i * n * n);
    }
    const Buffer<const double*> pa(as), pb(bs);
    const Buffer<double*> pd(ds);
    strided<n><<<count, n * n>>>(da, db, c);
    listed<n><<<count, n * n>>>(pa, pb, pd);
    return near("by a stride", c.host(), expected, 1e-12) + near("by a list", d.host(), expected, 1e-12);
}
