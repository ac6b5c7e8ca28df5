// The loops of launch_bench.cpp in plain C++ on one core, as a measure of the machine: what would it cost not to
// emulate?
//
// steps: inner steps a second, to be held against the same figure of launch_bench.cpp.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace {

using Floats = std::vector<float>;

void report(benchmark::State& state, double steps) {
    state.counters["steps"] = benchmark::Counter(steps, benchmark::Counter::kIsIterationInvariantRate);
}

// One result after another, as the naive kernel's threads compute them.
void naive(benchmark::State& state) {
    const auto width = static_cast<std::size_t>(state.range(0));
    const Floats M(width * width, 0.5f), N(width * width, 0.25f);
    Floats P(width * width);
    for (auto _ : state) {
        for (std::size_t row = 0; row < width; ++row)
            for (std::size_t col = 0; col < width; ++col) {
                float sum = 0;
                for (std::size_t k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
                P[row * width + col] = sum;
            }
        benchmark::DoNotOptimize(P.data());
        benchmark::ClobberMemory();
    }
    report(state, static_cast<double>(width) * width * width);
}

// Tile by tile, as the tiled kernel's blocks do; the innermost loop runs along a row, so that it becomes vector code.
void tiled(benchmark::State& state) {
    constexpr std::size_t kTile = 16;
    const auto width = static_cast<std::size_t>(state.range(0));
    const Floats M(width * width, 0.5f), N(width * width, 0.25f);
    Floats P(width * width);
    for (auto _ : state) {
        for (std::size_t row0 = 0; row0 < width; row0 += kTile)
            for (std::size_t col0 = 0; col0 < width; col0 += kTile) {
                float sums[kTile][kTile] = {};
                for (std::size_t k0 = 0; k0 < width; k0 += kTile)
                    for (std::size_t y = 0; y < kTile; ++y)
                        for (std::size_t k = k0; k < k0 + kTile; ++k)
                            for (std::size_t x = 0; x < kTile; ++x)
                                sums[y][x] += M[(row0 + y) * width + k] * N[k * width + col0 + x];
                for (std::size_t y = 0; y < kTile; ++y) std::copy_n(sums[y], kTile, &P[(row0 + y) * width + col0]);
            }
        benchmark::DoNotOptimize(P.data());
        benchmark::ClobberMemory();
    }
    report(state, static_cast<double>(width) * width * width);
}

// A product of 16 x 8 x 16 as products_f16 of launch_bench.cpp makes it, in float and in whatever order: rows of A are
// beside each other, so that the innermost loop becomes vector code of fused multiply-adds.
constexpr std::size_t kRows = 16, kColumns = 8, kDepth = 16;
struct Matrices {
    alignas(64) float a[kDepth][kRows], b[kColumns][kDepth], c[kColumns][kRows];
};

#define TILESCOPE_PRODUCT                                 \
    for (std::size_t j = 0; j < kColumns; ++j)            \
        for (std::size_t k = 0; k < kDepth; ++k)          \
            for (std::size_t row = 0; row < kRows; ++row) \
                of.c[j][row] = __builtin_fmaf(of.a[k][row], of.b[j][k], of.c[j][row]);

__attribute__((noinline, target("arch=x86-64-v3"))) void multiply_v3(Matrices& of) { TILESCOPE_PRODUCT }
__attribute__((noinline, target("arch=x86-64-v4,prefer-vector-width=512"))) void multiply_v4(Matrices& of) {
    TILESCOPE_PRODUCT
}
#undef TILESCOPE_PRODUCT

void products(benchmark::State& state, void (*multiply)(Matrices&), bool runs_here) {
    if (!runs_here) {
        state.SkipWithError("not an instruction set of this machine");
        return;
    }
    Matrices of{};
    for (auto& line : of.a) std::fill(std::begin(line), std::end(line), 0.5f);
    for (auto& line : of.b) std::fill(std::begin(line), std::end(line), 0.25f);
    for (auto _ : state) {
        multiply(of);
        benchmark::ClobberMemory();
    }
    report(state, double{kRows} * kColumns * kDepth);
}

void products_v3(benchmark::State& state) {
    products(state, &multiply_v3, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
}
void products_v4(benchmark::State& state) { products(state, &multiply_v4, __builtin_cpu_supports("avx512bw")); }

void copy(benchmark::State& state) {
    const auto stride = static_cast<std::size_t>(state.range(0));
    constexpr unsigned kLog = 24;
    constexpr std::size_t kElements = std::size_t{1} << kLog;
    const Floats in(kElements, 1);
    Floats out(kElements);
    for (auto _ : state) {
        for (std::size_t i = 0; i < kElements; ++i) {
            const std::size_t at = (i * stride & (kElements - 1)) + (i * stride >> kLog);
            out[at] = in[at];
        }
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    report(state, kElements);
}

BENCHMARK(tiled)->ArgName("width")->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(naive)->ArgName("width")->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(products_v3);
BENCHMARK(products_v4);
BENCHMARK(copy)->ArgName("stride")->Arg(1)->Arg(8)->Arg(32)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
