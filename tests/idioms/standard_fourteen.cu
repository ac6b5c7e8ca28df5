// Programs in C++14, as older courses have them.
// options: --std c++14 --compile-flags=--expt-relaxed-constexpr
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>

#include "idioms.cuh"

template <class T, T V>
struct Constant {
    static constexpr T value = V;
};
template <class T, T V>
constexpr T Constant<T, V>::value;
__global__ void constants(int* out) { out[threadIdx.x] = Constant<int, 12>::value + Constant<short, 3>::value; }
IDIOM(constant_defined_outside_its_class) {
    Buffer<int> out(4);
    constants<<<1, 4>>>(out);
    report.expect(out, [](int) { return 15; });
}

template <class T>
constexpr T golden = T(1.618033988749895);
__global__ void ratios(float* f, double* d) { *f = golden<float>, *d = golden<double>; }
IDIOM(variable_templates) {
    Buffer<float> f(1);
    Buffer<double> d(1);
    ratios<<<1, 1>>>(f, d);
    report.expect(f, [](int) { return golden<float>; });
    report.expect(d, [](int) { return golden<double>; });
}

constexpr int collatz(int n) {
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    return steps;
}
template <int N>
__global__ void precomputed(int* out) {
    constexpr int steps = collatz(N);
    out[threadIdx.x] = steps;
}
IDIOM(constexpr_loops) {
    Buffer<int> out(2);
    precomputed<27><<<1, 2>>>(out);
    report.expect(out, [](int) { return 111; });
}

template <class T>
__host__ __device__ auto squared(T x) {
    return x * x;
}
template <class A, class B>
__host__ __device__ auto added(A a, B b) -> decltype(a + b) {
    return a + b;
}
__global__ void deduced(double* out) { out[threadIdx.x] = added(squared(static_cast<int>(threadIdx.x)), squared(0.5)); }
IDIOM(deduced_results) {
    Buffer<double> out(8);
    deduced<<<1, 8>>>(out);
    report.expect(out, [](int i) { return i * i + 0.25; });
}

template <class Head>
__host__ __device__ Head smallest(Head h) {
    return h;
}
template <class Head, class... Tail>
__host__ __device__ Head smallest(Head h, Tail... tail) {
    const Head rest = smallest(tail...);
    return h < rest ? h : rest;
}
__global__ void recursive_pack(int* out) {
    const int i = threadIdx.x;
    out[i] = smallest(i, 10 - i, i * i, 6);
}
IDIOM(packs_by_recursion) {
    Buffer<int> out(12);
    recursive_pack<<<1, 12>>>(out);
    report.expect(out, [](int i) { return std::min({i, 10 - i, i * i, 6}); });
}

__global__ void doubles(int* p, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] *= 2;
}
IDIOM(containers_of_the_host_around_a_kernel) {
    std::map<std::string, std::array<int, 4>> rows = {{"b", {{1, 2, 3, 4}}}, {"a", {{5, 6, 7, 8}}}};
    Buffer<int> data(8);
    int* at = data;
    for (const auto& row : rows) at = std::copy(row.second.begin(), row.second.end(), at);
    doubles<<<1, 32>>>(data, 8);
    report.add(data);
    report.check(std::accumulate(data.get(), data.get() + 8, 0) == 72 && data[0] == 10);
}
