// Lambdas and callables in kernels.
// options: --extended-lambda --compile-flags=--expt-relaxed-constexpr
#include <cmath>
#include <tuple>
#include <utility>

#include "idioms.cuh"

template <class F>
__global__ void apply_each(int n, F f) {
    for (int i = thread_index(); i < n; i += gridDim.x * blockDim.x) f(i);
}

template <class F>
void parallel_for(int n, F f) {
    apply_each<<<(n + 127) / 128, 128>>>(n, f);
}

IDIOM(device_lambda_captures_pointer) {
    Buffer<int> out(300);
    int* p = out;
    parallel_for(300, [=] __device__(int i) { p[i] = i * i; });
    report.expect(out, [](int i) { return i * i; });
}

IDIOM(host_device_lambda_runs_on_both) {
    Buffer<int> out(100);
    int* p = out;
    const int scale = 7;
    auto f = [=] __host__ __device__(int i) { return i * scale + 3; };
    parallel_for(100, [=] __device__(int i) { p[i] = f(i); });
    report.expect(out, f);
}

IDIOM(mutable_lambda_counts_in_its_copy) {
    Buffer<int> out(64);
    int* p = out;
    int count = 5;
    apply_each<<<1, 32>>>(64, [=] __device__(int i) mutable { p[i] = ++count; });
    report.expect(out, [](int i) { return i < 32 ? 6 : 7; });
}

IDIOM(lambda_with_init_capture) {
    Buffer<unsigned> out(64);
    parallel_for(64, [p = out.get(), k = 3u + 4u] __device__(int i) { p[i] = i << k; });
    report.expect(out, [](int i) { return static_cast<unsigned>(i) << 7; });
}

IDIOM(generic_lambda_inside_a_kernel_lambda) {
    Buffer<long long> out(64);
    long long* p = out;
    parallel_for(64, [=] __device__(int i) {
        auto twice = [](auto x) { return x + x; };
        p[i] = twice(i) + twice(1ll << 40);
    });
    report.expect(out, [](int i) { return 2ll * i + (1ll << 41); });
}

struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return fmaf(a, x, y); }
};
template <class Op, class T>
__global__ void transform(const T* x, const T* y, T* out, int n, Op op) {
    const int i = thread_index();
    if (i < n) out[i] = op(x[i], y[i]);
}
IDIOM(functor_as_kernel_argument) {
    Buffer<float> x(200), y(200), out(200);
    for (int i = 0; i < 200; ++i) x[i] = 0.1f * i, y[i] = 1.0f / (i + 1);
    transform<<<2, 100>>>(x.get(), y.get(), out.get(), 200, Saxpy{1.5f});
    report.expect(out, [&](int i) { return Saxpy{1.5f}(x[i], y[i]); });
}

template <class... Fs>
struct Chain;
template <>
struct Chain<> {
    __host__ __device__ int operator()(int x) const { return x; }
};
template <class F, class... Rest>
struct Chain<F, Rest...> {
    F first;
    Chain<Rest...> rest;
    __host__ __device__ int operator()(int x) const { return rest(first(x)); }
};
struct AddOne {
    __host__ __device__ int operator()(int x) const { return x + 1; }
};
struct Triple {
    __host__ __device__ int operator()(int x) const { return 3 * x; }
};
IDIOM(chain_of_functors) {
    Buffer<int> out(64);
    int* p = out;
    Chain<AddOne, Triple, AddOne> chain{};
    parallel_for(64, [=] __device__(int i) { p[i] = chain(i); });
    report.expect(out, chain);
}

IDIOM(lambda_captures_a_small_array) {
    Buffer<int> out(64);
    int* p = out;
    int table[4] = {5, 3, 2, 9};
    parallel_for(64, [=] __device__(int i) { p[i] = table[i % 4] * i; });
    report.expect(out, [&](int i) { return table[i % 4] * i; });
}

IDIOM(lambda_calls_an_atomic) {
    Buffer<int> out(8);
    int* p = out;
    parallel_for(1000, [=] __device__(int i) { atomicAdd(&p[i % 8], i); });
    report.expect(out, [](int b) {
        int sum = 0;
        for (int i = b; i < 1000; i += 8) sum += i;
        return sum;
    });
}

struct Solver {
    int gain;
    Buffer<int>& out;
    void run() {
        int* p = out;
        // A copy of the member, as a capture of `this` would be the host's pointer.
        parallel_for(64, [p, gain = gain] __device__(int i) { p[i] = gain * i; });
    }
};
IDIOM(lambda_in_a_member_function) {
    Buffer<int> out(64);
    Solver{11, out}.run();
    report.expect(out, [](int i) { return 11 * i; });
}

struct Field {
    int* p;
    int bias;
    void fill(int n) {
        parallel_for(n, [*this] __device__(int i) { p[i] = i + bias; });
    }
};
IDIOM(lambda_captures_a_copy_of_this) {
    Buffer<int> out(64);
    Field{out, 100}.fill(64);
    report.expect(out, [](int i) { return i + 100; });
}

template <int N, class F>
__host__ __device__ constexpr void static_for(F&& f) {
    if constexpr (N > 0) {
        static_for<N - 1>(f);
        f(std::integral_constant<int, N - 1>{});
    }
}
__global__ void unrolled_by_lambda(int* out) {
    int sum = 0;
    static_for<6>([&](auto k) { sum += static_cast<int>(threadIdx.x) << decltype(k)::value; });
    out[threadIdx.x] = sum;
}
IDIOM(static_for_with_a_lambda) {
    Buffer<int> out(32);
    unrolled_by_lambda<<<1, 32>>>(out);
    report.expect(out, [](int i) { return i * 63; });
}
