// Functions that call themselves and each other, with a stack of their own.
#include "fourfold.cuh"

__host__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__host__ __device__ int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__host__ __device__ bool is_odd(unsigned n);
__host__ __device__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__host__ __device__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }
__host__ __device__ double adaptive(double a, double b, int depth) {
    const double middle = (a + b) / 2, whole = (b - a) * middle * middle,
                 left = (middle - a) * (a + middle) * (a + middle) / 4,
                 right = (b - middle) * (b + middle) * (b + middle) / 4;
    if (depth == 0 || fabs(whole - left - right) < 1e-5) return left + right;
    return adaptive(a, middle, depth - 1) + adaptive(middle, b, depth - 1);
}

__global__ void call(int* out, double* areas) {
    const int i = threadIdx.x;
    out[i] = fibonacci(i % 11) * 1000 + ackermann(i % 3, i % 5) * 2 + is_even(i);
    areas[i] = adaptive(0, i * 0.1, 6);
}

int main() {
    constexpr int count = 32;
    std::vector<int> expected;
    std::vector<double> areas;
    for (int i = 0; i < count; ++i) {
        expected.push_back(fibonacci(i % 11) * 1000 + ackermann(i % 3, i % 5) * 2 + is_even(i));
        areas.push_back(adaptive(0, i * 0.1, 6));
    }
    const Buffer<int> out(count);
    const Buffer<double> found(count);
    call<<<1, count>>>(out, found);
    return same("calls", out.host(), expected) + near("areas", found.host(), areas, 1e-12);
}
