// The loops of launch_bench.cpp in plain C++ on one core, as a measure of the machine: what would it cost not to
// emulate?
//
// steps: inner steps a second, to be held against the same figure of launch_bench.cpp.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
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
BENCHMARK(copy)->ArgName("stride")->Arg(1)->Arg(8)->Arg(32)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
