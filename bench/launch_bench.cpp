// How fast kernels run, with everything counted that a profile shows.
//
// per_core: thread instructions a second for each core, the figure that bench/README.md holds to its goals. steps:
// inner steps of the algorithm a second (multiply-adds, or elements copied), which native_bench.cpp reports, too.
#include <benchmark/benchmark.h>

#include "bench/kernels.h"

namespace tilescope::bench {
namespace {

void report(benchmark::State& state, const KernelRun& run, double steps, unsigned jobs) {
    const auto instructions = static_cast<double>(run.thread_instructions());
    using benchmark::Counter;
    state.counters["per_core"] = Counter(instructions / jobs, Counter::kIsIterationInvariantRate);
    state.counters["steps"] = Counter(steps, Counter::kIsIterationInvariantRate);
}

void matmul(benchmark::State& state, const char* entry) {
    const auto width = static_cast<unsigned>(state.range(0)), jobs = static_cast<unsigned>(state.range(1));
    KernelRun run("matmul", entry, jobs);
    const std::size_t elements = static_cast<std::size_t>(width) * width;
    run.arguments(run.floats(elements, 0.5f), run.floats(elements, 0.25f), run.floats(elements, 0), width);
    for (auto _ : state) run.launch({width / 16, width / 16, 1}, {16, 16, 1});
    report(state, run, static_cast<double>(width) * width * width, jobs);
}

void tiled(benchmark::State& state) { matmul(state, "matmul_tiled"); }
void naive(benchmark::State& state) { matmul(state, "matmul_naive"); }

void copy(benchmark::State& state) {
    const auto stride = static_cast<unsigned>(state.range(0)), jobs = static_cast<unsigned>(state.range(1));
    constexpr unsigned kLog = 24;
    KernelRun run("copy", "copy_strided", jobs);
    run.arguments(run.floats(1u << kLog, 1), run.floats(1u << kLog, 0), kLog, stride);
    for (auto _ : state) run.launch({1024, 1, 1}, {256, 1, 1});
    report(state, run, 1u << kLog, jobs);
}

void empty(benchmark::State& state) {
    KernelRun run("copy", "nothing", 1);
    run.arguments();
    for (auto _ : state) run.launch({1, 1, 1}, {32, 1, 1});
}

// Wall time: with several jobs the work is not on the measuring thread.
BENCHMARK(tiled)
    ->ArgNames({"width", "jobs"})
    ->Args({1024, 1})
    ->Args({1024, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(naive)
    ->ArgNames({"width", "jobs"})
    ->Args({1024, 1})
    ->Args({1024, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(copy)
    ->ArgNames({"stride", "jobs"})
    ->Args({1, 1})
    ->Args({8, 1})
    ->Args({32, 1})
    ->Args({32, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(empty)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tilescope::bench

BENCHMARK_MAIN();
