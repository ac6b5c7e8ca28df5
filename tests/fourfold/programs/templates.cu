// Packs, folds, specialisations, constants at compile time, and a base that knows what is derived from it.
#include "fourfold.cuh"

template <class... Values>
__host__ __device__ int sum_of(Values... values) {
    return (0 + ... + values);
}
template <int N>
struct Factorial {
    static constexpr int value = N * Factorial<N - 1>::value;
};
template <>
struct Factorial<0> {
    static constexpr int value = 1;
};
template <class Derived>
struct Counter {
    __host__ __device__ int twice(int x) const { return 2 * static_cast<const Derived*>(this)->once(x); }
};
struct Plus : Counter<Plus> {
    __host__ __device__ int once(int x) const { return x + 1; }
};
template <int N>
__host__ __device__ int unrolled(int x) {
    if constexpr (N == 0)
        return x;
    else
        return unrolled<N - 1>(x * 3 + N);
}
__host__ __device__ constexpr int table_entry(int i) { return i * i % 7; }

template <class T, int Width>
__global__ void compute(T* out) {
    const int i = threadIdx.x;
    constexpr int constants[4] = {table_entry(3), table_entry(4), table_entry(5), table_entry(6)};
    out[i] = static_cast<T>(sum_of(i, 2 * i, 3) + Factorial<5>::value + Plus{}.twice(i) + unrolled<Width>(i) +
                            constants[i & 3] + int(sizeof(T)));
}

template <class T, int Width>
int check(const char* what) {
    std::vector<T> expected;
    for (int i = 0; i < 64; ++i)
        expected.push_back(static_cast<T>(3 * i + 3 + 120 + 2 * (i + 1) + unrolled<Width>(i) +
                                          table_entry(3 + (i & 3)) + int(sizeof(T))));
    const Buffer<T> out(64);
    compute<T, Width><<<1, 64>>>(out);
    return same(what, out.host(), expected);
}

int main() {
    return check<int, 3>("int") + check<short, 2>("short") + check<double, 5>("double") +
           check<unsigned char, 0>("byte");
}
