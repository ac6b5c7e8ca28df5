// Programs in C++20: concepts, spans, ranges on the host.
// options: --std c++20 --compile-flags=--expt-relaxed-constexpr
#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <ranges>
#include <source_location>
#include <span>
#include <string_view>

#include "idioms.cuh"

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;
template <Number T>
__global__ void scales(std::span<T> data, T by) {
    if (threadIdx.x < data.size()) data[threadIdx.x] *= by;
}
IDIOM(concepts_and_spans_in_kernels) {
    Buffer<float> f(20);
    Buffer<int> n(20);
    for (int i = 0; i < 20; ++i) f[i] = i, n[i] = i;
    scales<float><<<1, 32>>>({f.get(), 20}, 0.5f);
    scales<int><<<1, 32>>>(std::span<int>(n.get(), 20), 3);
    report.expect(f, [](int i) { return i * 0.5f; });
    report.expect(n, [](int i) { return i * 3; });
}

template <class T>
requires(sizeof(T) == 4) __host__ __device__ constexpr uint32_t bits_of(T value) {
    return std::bit_cast<uint32_t>(value);
}
__global__ void bits(uint32_t* out) {
    const uint32_t x = threadIdx.x * 77777u;
    out[threadIdx.x] = bits_of(threadIdx.x * 0.1f) ^ std::popcount(x) ^ std::rotl(x, 5) ^ std::countl_zero(x) << 8 ^
                       std::bit_ceil(threadIdx.x + 1u);
}
IDIOM(bit_functions_of_std) {
    Buffer<uint32_t> out(32);
    bits<<<1, 32>>>(out);
    report.expect(out, [](int i) {
        const uint32_t x = i * 77777u;
        return bits_of(i * 0.1f) ^ std::popcount(x) ^ std::rotl(x, 5) ^ std::countl_zero(x) << 8 ^
               std::bit_ceil(i + 1u);
    });
}

consteval int cube(int x) { return x * x * x; }
struct Point {
    int x = 0, y = 0;
    constexpr auto operator<=>(const Point&) const = default;
};
__global__ void compares(int* out) {
    const Point p{.x = static_cast<int>(threadIdx.x), .y = 2}, q{.x = 3, .y = 2};
    out[threadIdx.x] = cube(3) + (p < q) + 2 * (p == q) + 4 * (p >= q);
}
IDIOM(consteval_and_spaceship) {
    Buffer<int> out(8);
    compares<<<1, 8>>>(out);
    report.expect(out, [](int i) { return 27 + (i < 3) + 2 * (i == 3) + 4 * (i >= 3); });
}

__global__ void templated(float* out, int n) {
    auto each = []<class T, int N>(T(&values)[N], auto f) {
        for (int i = 0; i < N; ++i) f(values[i], i);
    };
    float values[3] = {1, 2, 3};
    each(values, [&](float& v, int i) { v *= i + n; });
    out[threadIdx.x] = values[0] + values[1] + values[2] + threadIdx.x + std::numbers::pi_v<float>;
}
IDIOM(lambda_with_template_parameters) {
    Buffer<float> out(8);
    templated<<<1, 8>>>(out, 2);
    report.expect(out, [](int i) { return 2.0f + 6 + 12 + i + std::numbers::pi_v<float>; });
}

__global__ void plain(int* p, int n) {
    if (static_cast<int>(threadIdx.x) < n) p[threadIdx.x] += 1;
}
IDIOM(ranges_on_the_host) {
    Buffer<int> data(16);
    std::ranges::copy(std::views::iota(0, 16) | std::views::transform([](int i) { return (i * 7) % 16; }), data.get());
    plain<<<1, 32>>>(data, 16);
    cudaDeviceSynchronize();
    std::span<int> all(data.get(), 16);
    std::ranges::sort(all, std::greater{});
    report.check(std::ranges::equal(all, std::views::iota(1, 17) | std::views::reverse));
    report.add(data);
    constexpr std::string_view name = "kernel";
    report.check(name.starts_with("ker") && std::source_location::current().line() > 0);
}

template <auto Value>
__global__ void of_auto(int* out) {
    *out = static_cast<int>(Value);
}
enum class Colour { red = 4 };
IDIOM(auto_template_parameters) {
    Buffer<int> out(2);
    of_auto<Colour::red><<<1, 1>>>(out.get());
    of_auto<'x'><<<1, 1>>>(out.get() + 1);
    report.expect(out, [](int i) { return i ? 'x' : 4; });
}

__global__ void early(int* out) {
    const int i = threadIdx.x;
    if (i % 2 == 0) [[likely]] {
        out[i] = 1;
    } else [[unlikely]] {
        out[i] = 2;
    }
    switch (int k = i % 3; k) {
        case 0: out[i] += 10; [[fallthrough]];
        case 1: out[i] += 100; break;
        default: break;
    }
}
IDIOM(attributes_of_statements) {
    Buffer<int> out(12);
    early<<<1, 12>>>(out);
    report.expect(out, [](int i) { return (i % 2 ? 2 : 1) + (i % 3 == 0 ? 110 : i % 3 == 1 ? 100 : 0); });
}
