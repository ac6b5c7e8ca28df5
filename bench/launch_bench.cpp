// How fast kernels run, with everything counted that a profile shows.
//
// per_core: thread instructions a second for each core, the figure that bench/README.md holds to its goals. warp: the
// same in warp instructions. steps: inner steps of the algorithm a second (multiply-adds, or elements copied), which
// native_bench.cpp reports, too.
#include <benchmark/benchmark.h>

#include "bench/irregular_data.h"
#include "bench/kernels.h"

namespace tilescope::bench {
namespace {

void report(benchmark::State& state, const KernelRun& run, double steps, unsigned jobs) {
    const auto of_threads = static_cast<double>(run.counted(tilescope::Counter::kThreadInstructions));
    const auto of_warps = static_cast<double>(run.counted(tilescope::Counter::kInstructions));
    using benchmark::Counter;
    state.counters["per_core"] = Counter(of_threads / jobs, Counter::kIsIterationInvariantRate);
    state.counters["warp"] = Counter(of_warps / jobs, Counter::kIsIterationInvariantRate);
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

// Sorts and scans of `elements` random words, `each` of them by a block.
void by_block(benchmark::State& state, const char* file, const char* entry, unsigned each, unsigned threads) {
    constexpr unsigned kElements = 1u << 18;
    KernelRun run(file, entry, 1);
    const std::vector<std::uint32_t> words = random_words(kElements, 1);
    run.arguments(run.copied(words), run.copied(words));
    for (auto _ : state) run.launch({kElements / each, 1, 1}, {threads, 1, 1});
    report(state, run, kElements, 1);
}

void sort_bitonic(benchmark::State& state) { by_block(state, "sort", "sort_bitonic", 512, 256); }
void sort_radix(benchmark::State& state) { by_block(state, "sort", "sort_radix", 256, 256); }
void scan_hillis_steele(benchmark::State& state) { by_block(state, "scan", "scan_hillis_steele", 512, 512); }
void scan_blelloch(benchmark::State& state) { by_block(state, "scan", "scan_blelloch", 512, 256); }

void histogram(benchmark::State& state, const char* entry) {
    constexpr unsigned kElements = 1u << 20;
    KernelRun run("histogram", entry, 1);
    run.arguments(run.copied(random_bytes(kElements)), run.copied(std::vector<std::uint32_t>(256)), kElements);
    for (auto _ : state) run.launch({64, 1, 1}, {256, 1, 1});
    report(state, run, kElements, 1);
}

void histogram_shared(benchmark::State& state) { histogram(state, "histogram_shared"); }
void histogram_global(benchmark::State& state) { histogram(state, "histogram_global"); }

void histogram_digit(benchmark::State& state) {
    constexpr unsigned kElements = 1u << 20, kBlocks = 64;
    KernelRun run("histogram", "histogram_digit", 1);
    run.arguments(run.copied(random_words(kElements, 1)), run.copied(std::vector<std::uint32_t>(16 * kBlocks)),
                  kElements, 8u);
    for (auto _ : state) run.launch({kBlocks, 1, 1}, {256, 1, 1});
    report(state, run, kElements, 1);
}

void sparse_product(benchmark::State& state) {
    constexpr std::uint32_t kRows = 1u << 15;
    KernelRun run("sparse", "sparse_product", 1);
    const SparseRows matrix = sparse_rows(kRows, 8);
    const std::size_t entries = matrix.columns.size();
    run.arguments(run.copied(matrix.starts), run.copied(matrix.columns), run.floats(entries, 1), run.floats(kRows, 1),
                  run.floats(kRows, 0), kRows);
    for (auto _ : state) run.launch({kRows / 128, 1, 1}, {128, 1, 1});
    report(state, run, static_cast<double>(entries), 1);
}

void graph_components(benchmark::State& state) {
    constexpr std::uint32_t kVertices = 1u << 16, kEdges = 1u << 18;
    KernelRun run("graph", "graph_components", 1);
    const Edges edges = edges_with_hubs(kVertices, kEdges);
    const std::vector<std::uint32_t> first = random_words(kVertices, 4);
    std::uint32_t* const label = run.copied(first);
    run.arguments(run.copied(edges.from), run.copied(edges.to), label, kEdges);
    for (auto _ : state) {
        run.overwrite(label, first);
        run.launch({64, 1, 1}, {256, 1, 1});
    }
    report(state, run, kEdges, 1);
}

void graph_distances(benchmark::State& state) {
    constexpr std::uint32_t kVertices = 1u << 15;
    KernelRun run("graph", "graph_distances", 1);
    const SparseRows graph = sparse_rows(kVertices, 8);
    run.arguments(run.copied(graph.starts), run.copied(graph.columns), run.copied(random_words(kVertices, 5)),
                  run.copied(std::vector<std::uint32_t>(kVertices)), kVertices);
    for (auto _ : state) run.launch({kVertices / 128, 1, 1}, {128, 1, 1});
    report(state, run, static_cast<double>(graph.columns.size()), 1);
}

void atomics_add(benchmark::State& state) {
    constexpr std::uint32_t kElements = 1u << 20;
    const auto addresses = static_cast<std::uint32_t>(state.range(0));
    KernelRun run("atomics", "atomics_add", 1);
    run.arguments(run.copied(random_words(kElements, 6)), run.copied(std::vector<std::uint32_t>(addresses)), kElements,
                  addresses - 1);
    for (auto _ : state) run.launch({64, 1, 1}, {256, 1, 1});
    report(state, run, kElements, 1);
}

void atomics_ticket(benchmark::State& state) {
    constexpr std::uint32_t kElements = 1u << 20;
    const auto queues = static_cast<std::uint32_t>(state.range(0));
    KernelRun run("atomics", "atomics_ticket", 1);
    const std::vector<std::uint32_t> words = random_words(kElements, 6), tails(queues);
    std::uint32_t* const tail = run.copied(tails);
    run.arguments(run.copied(words), tail, run.copied(words), kElements, queues - 1);
    for (auto _ : state) {
        run.overwrite(tail, tails);
        run.launch({64, 1, 1}, {256, 1, 1});
    }
    report(state, run, kElements, 1);
}

// Products of 16 x 8 x 16, 64 warps; the plain loop is products_* of native_bench.cpp. TILESCOPE_SIMD names the width.
void products(benchmark::State& state, const char* entry, bool as_f16) {
    constexpr unsigned kWarps = 64, kSteps = 64, kProducts = 16, kWords = 6 * 32, kSums = 512;
    KernelRun run("products", entry, 1);
    run.arguments(run.copied(normal_pairs(kWords, 7, as_f16)), run.floats(std::size_t{kWarps} * kSums, 0), kSteps);
    for (auto _ : state) run.launch({kWarps / 8, 1, 1}, {256, 1, 1});
    report(state, run, double{kWarps} * kSteps * kProducts * 16 * 8 * 16, 1);
}

void products_f16(benchmark::State& state) { products(state, "products_f16", true); }
void products_bf16(benchmark::State& state) { products(state, "products_bf16", false); }

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
BENCHMARK(sort_bitonic)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(sort_radix)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(scan_hillis_steele)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(scan_blelloch)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(histogram_shared)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(histogram_global)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(histogram_digit)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(sparse_product)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(graph_components)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(graph_distances)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(atomics_add)->ArgName("addresses")->Arg(1)->Arg(8)->Arg(1024)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(atomics_ticket)->ArgName("queues")->Arg(1)->Arg(8)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(products_f16)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(products_bf16)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(empty)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tilescope::bench

BENCHMARK_MAIN();
