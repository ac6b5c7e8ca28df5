// Every kernel of the registry, and the cost model's own choice, against a float64 reference on the GPU.
//
// usage: tiles_check_gemm [--kernel SUBSTRING] [--cases N] [--covering] [--seed N]
//
// Shapes, transposes, leading dimensions, alignments, alpha and beta, batches and workspaces are drawn afresh each run
// (the seed is printed); a systematic part walks shapes across every tile edge. --covering takes a small set, for runs
// under compute-sanitizer. Prints a line per kernel; exit status 1 when a case failed.
#include <algorithm>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "tests/tiles/gemm_cases.h"
#include "tiles/bench/harness.cuh"
#include "tiles/plan/device.h"
#include "tiles/plan/registry.h"
#include "tiles/src/validate.h"

namespace {

using harness::Comparison;
using harness::Operand;
using tiles::Compute;
using tiles::DataType;
using tiles::GemmArguments;
using tiles::Layout;
using tiles::Op;
using tiles_check::Case;
using tiles_check::covering_cases;
using tiles_check::make_cases;

struct Bench {
    Operand a, b, c;
    void* old = nullptr;
    double* reference = nullptr;
    Comparison* comparison = nullptr;
    void* workspace = nullptr;
    size_t old_bytes = 0, reference_bytes = 0, workspace_bytes = size_t{192} << 20;
};

void grow(void** pointer, size_t* have, size_t want) {
    if (want <= *have) return;
    if (*pointer != nullptr) HARNESS_CUDA(cudaFree(*pointer));
    HARNESS_CUDA(cudaMalloc(pointer, want));
    *have = want;
}

// Infinities that meet zero, one, numbers with many bits and each other, and a NaN.
void plant_specials(const Bench& bench, const Case& t, bool a_by_m, bool b_by_k, uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto draw = [&](int64_t below) { return static_cast<int64_t>(random() % static_cast<uint64_t>(below)); };
    const auto a = [&](int64_t i, int64_t p, double x) { bench.a.set(a_by_m ? i : p, a_by_m ? p : i, x); };
    const auto b = [&](int64_t p, int64_t j, double x) { bench.b.set(b_by_k ? p : j, b_by_k ? j : p, x); };
    const double infinity = HUGE_VAL;
    const int64_t p = draw(t.k), q = draw(t.k);
    a(draw(t.m), p, 0), a(draw(t.m), p, -1);
    b(p, draw(t.n), 0), b(p, draw(t.n), 1);
    a(draw(t.m), p, infinity), b(p, draw(t.n), -infinity), b(q, draw(t.n), infinity);
    if (random() % 2) a(draw(t.m), q, std::nan(""));
}

GemmArguments set_up(Bench& bench, Compute compute, const Case& t, uint64_t seed) {
    const DataType input = harness::input_type(compute);
    const bool row = t.layout == Layout::kRowMajor;
    const bool a_by_m = (t.op_a == Op::kNone) == row, b_by_k = (t.op_b == Op::kNone) == row;
    const int64_t ar = a_by_m ? t.m : t.k, ac = a_by_m ? t.k : t.m, br = b_by_k ? t.k : t.n, bc = b_by_k ? t.n : t.k;
    const int64_t cr = row ? t.m : t.n, cc = row ? t.n : t.m;
    GemmArguments g;
    g.compute = compute;
    g.type_c = t.narrow_c || compute == Compute::kF64 ? input : DataType::kF32;
    g.m = t.m, g.n = t.n, g.k = t.k, g.batch = t.batch, g.alpha = t.alpha, g.beta = t.beta;
    g.lda = std::max<int64_t>(ac, 1) + t.pad_a, g.ldb = std::max<int64_t>(bc, 1) + t.pad_b;
    g.ldc = std::max<int64_t>(cc, 1) + t.pad_c;
    g.stride_a = ar * g.lda + t.pad_b, g.stride_b = br * g.ldb + t.pad_a, g.stride_c = cr * g.ldc + t.pad_a;
    if (t.beside && t.batch > 1) {
        g.stride_a = g.lda, g.stride_b = g.ldb, g.stride_c = g.ldc;
        g.lda *= t.batch, g.ldb *= t.batch, g.ldc *= t.batch;
    }
    bench.a.create(input, ar, ac, g.lda, g.stride_a, t.batch, t.shift);
    bench.b.create(input, br, bc, g.ldb, g.stride_b, t.batch, t.shift ? t.shift + 1 : 0);
    bench.c.create(g.type_c, cr, cc, g.ldc, g.stride_c, t.batch, t.shift);
    bench.a.fill(seed), bench.b.fill(seed + 1), bench.c.fill(seed + 2, t.beta == 0);
    if (t.specials && t.m * t.n * t.k * t.batch > 0) plant_specials(bench, t, a_by_m, b_by_k, seed);
    g.a = bench.a.data(), g.b = bench.b.data(), g.c = bench.c.data();
    g.options.layout = t.layout, g.options.op_a = t.op_a, g.options.op_b = t.op_b;
    if (t.workspace) g.options.workspace = bench.workspace, g.options.workspace_bytes = bench.workspace_bytes;
    return g;
}

struct Outcome {
    tiles::Status status;
    double error = 0;
    bool failed = false;
};

// The product with its tail or its k cut. Unsupported: the shape has no tail.
tiles::Status run_cut(const GemmArguments& g, const char* kernel, const Case& t) {
    tiles::GemmProblem problem;
    const tiles::DeviceProperties* device = nullptr;
    if (tiles::Status status = tiles::make_problem(g, &problem); !status.ok()) return status;
    if (tiles::Status status = tiles::current_device(&device); !status.ok()) return status;
    const tiles::Kernel& row = *tiles::find_kernel(kernel);
    tiles::Tuning whole, cut;
    whole.split_k = 1, cut.split_k = std::max(t.split, 1), cut.cut_tail = t.tail;
    if (t.tail && row.workspace(problem, cut, *device) == row.workspace(problem, whole, *device))
        return {tiles::StatusCode::kUnsupported, "m", "there is no tail to cut", 0};
    return row.launch(problem, cut, *device);
}

Outcome run_case(Bench& bench, Compute compute, const char* kernel, const Case& t, uint64_t seed) {
    GemmArguments g = set_up(bench, compute, t, seed);
    g.options.kernel = kernel;
    if (kernel != nullptr) {
        tiles::GemmProblem problem;
        if (!tiles::make_problem(g, &problem).ok()) return {{}, 0, true};
        const tiles::DeviceProperties* device = nullptr;
        if (!tiles::current_device(&device).ok()) return {{}, 0, true};
        if (!tiles::find_kernel(kernel)->supports(problem, *device)) {
            return {{tiles::StatusCode::kUnsupported, "", "", 0}, 0, false};
        }
    }
    const size_t count = static_cast<size_t>(t.m * t.n * t.batch);
    const size_t c_bytes = static_cast<size_t>(bench.c.total) * harness::element_size(g.type_c);
    grow(&bench.old, &bench.old_bytes, c_bytes);
    grow(reinterpret_cast<void**>(&bench.reference), &bench.reference_bytes, count * sizeof(double) + 8);
    HARNESS_CUDA(cudaMemcpyAsync(bench.old, bench.c.allocation, c_bytes, cudaMemcpyDeviceToDevice));
    HARNESS_CUDA(cudaMemsetAsync(bench.comparison, 0, sizeof(Comparison)));
    if (count > 0) {
        const void* old = static_cast<const char*>(bench.old) + bench.c.offset * harness::element_size(g.type_c);
        harness::reference_product<<<1024, 128>>>(g, harness::input_type(compute), old, bench.reference);
    }
    Outcome outcome;
    outcome.status = t.tail || t.split > 0 ? run_cut(g, kernel, t) : tiles::gemm(g);
    if (!outcome.status.ok()) {
        const tiles::StatusCode code = outcome.status.code;
        const bool refused = kernel != nullptr && !t.workspace && code == tiles::StatusCode::kWorkspaceTooSmall;
        outcome.failed = code != tiles::StatusCode::kUnsupported && !refused;
        return outcome;
    }
    if (count > 0) harness::compare_product<<<256, 128>>>(g, bench.reference, bench.comparison);
    harness::count_written_outside<<<256, 256>>>(bench.c.allocation, g.type_c, bench.c.total, bench.c.offset,
                                                 bench.c.rows, bench.c.columns, bench.c.ld, bench.c.stride,
                                                 bench.c.batch, bench.comparison);
    Comparison seen{};
    HARNESS_CUDA(cudaMemcpy(&seen, bench.comparison, sizeof(seen), cudaMemcpyDeviceToHost));
    // Where sums cancel, the reference may be close to zero by chance; random sums of k products are not smaller than
    // this.
    const double expected = 0.1 * t.alpha * t.alpha * static_cast<double>(t.k) * static_cast<double>(count);
    const double norm = std::max(seen.reference_squares, expected);
    outcome.error = norm > 0 ? std::sqrt(seen.error_squares / norm) : std::sqrt(seen.error_squares);
    // Few results: the worst of them may lie several deviations out.
    const double allowed = harness::tolerance(compute, g.type_c) * (1 + 4 / std::sqrt(static_cast<double>(count + 1)));
    outcome.failed = seen.not_finite > 0 || seen.written_outside > 0 || !(outcome.error <= allowed);
    if (outcome.failed) {
        std::printf("  not finite %llu, written outside %llu, ", seen.not_finite, seen.written_outside);
    }
    return outcome;
}

// Returns how many cases failed.
int check_kernel(Bench& bench, Compute compute, const char* name, const std::vector<Case>& cases, uint64_t seed) {
    int failed = 0, ran = 0, wanted_tails = 0, tails = 0;
    double worst = 0;
    for (const Case& t : cases) {
        const Outcome outcome = run_case(bench, compute, name, t, seed += 3);
        wanted_tails += t.tail;
        if (outcome.status.code == tiles::StatusCode::kUnsupported && !outcome.failed) continue;
        ++ran, tails += t.tail;
        worst = std::max(worst, outcome.error);
        if (!outcome.failed) continue;
        if (++failed <= 5) {
            std::printf("  %s: error %.3g %s %s: ", name ? name : "(chosen)", outcome.error, outcome.status.argument,
                        outcome.status.message);
            print_case(t);
        }
        const cudaError_t sticky = cudaDeviceSynchronize();
        if (sticky != cudaSuccess) {
            std::printf("  the device stopped: %s\n", cudaGetErrorString(sticky));
            std::exit(1);
        }
    }
    std::printf("%-28s compute %d: %5d cases, %d failed, worst error %.3g", name ? name : "(chosen)",
                static_cast<int>(compute), ran, failed, worst);
    if (wanted_tails > 0) std::printf(", %d tails cut", tails);
    std::printf("\n");
    std::fflush(stdout);
    return failed + (ran == 0) + (wanted_tails > 0 && tails == 0);
}

}  // namespace

int main(int argc, char** argv) {
    std::string filter;
    int count = 400;
    bool covering = false;
    uint64_t seed = static_cast<uint64_t>(std::time(nullptr));
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--covering")
            covering = true;
        else if (word == "--kernel" && i + 1 < argc)
            filter = argv[++i];
        else if (word == "--cases" && i + 1 < argc)
            count = std::atoi(argv[++i]);
        else if (word == "--seed" && i + 1 < argc)
            seed = std::strtoull(argv[++i], nullptr, 10);
        else
            return std::fprintf(stderr, "unknown option %s\n", word.c_str()), 2;
    }
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    std::mt19937_64 random(seed);
    Bench bench;
    HARNESS_CUDA(cudaMalloc(&bench.comparison, sizeof(Comparison)));
    HARNESS_CUDA(cudaMalloc(&bench.workspace, bench.workspace_bytes));
    HARNESS_CUDA(cudaMemset(bench.workspace, 0xff, bench.workspace_bytes));
    int failed = 0, kernels = 0;
    const tiles::KernelList list = tiles::all_kernels();
    bool chosen[6] = {};
    for (int i = 0; i < list.count; ++i) {
        const tiles::Kernel& kernel = *list.rows[i];
        if (std::strstr(kernel.name, filter.c_str()) == nullptr) continue;
        const bool half = kernel.compute == Compute::kBF16 || kernel.compute == Compute::kF16;
        std::vector<Case> cases =
            covering ? covering_cases(kernel.figures.tile_m, kernel.figures.tile_n, kernel.figures.tile_k, half)
                     : make_cases(random, half, count);
        if (kernel.figures.tail_cluster > 0 && covering) add_covering_tails(kernel, half, cases);
        if (kernel.figures.tail_cluster > 0 && !covering) add_tail_cases(random, kernel, half, 32, cases);
        if (kernel.figures.max_split > 2)
            add_split_cases(random, kernel.figures.tile_k, half, covering ? 9 : 135, cases);
        failed += check_kernel(bench, kernel.compute, kernel.name, cases, random());
        ++kernels;
        chosen[static_cast<int>(kernel.compute)] = true;
    }
    for (int compute = 0; compute < 6; ++compute) {
        if (!chosen[compute]) continue;
        const bool half = compute == static_cast<int>(Compute::kBF16) || compute == static_cast<int>(Compute::kF16);
        const std::vector<Case> cases = covering ? covering_cases(128, 128, 32, half) : make_cases(random, half, count);
        failed += check_kernel(bench, static_cast<Compute>(compute), nullptr, cases, random());
    }
    HARNESS_CUDA(cudaDeviceSynchronize());
    std::printf("%s: %d kernels, %d cases failed\n", failed == 0 && kernels > 0 ? "PASS" : "FAIL", kernels, failed);
    return failed == 0 && kernels > 0 ? 0 : 1;
}
