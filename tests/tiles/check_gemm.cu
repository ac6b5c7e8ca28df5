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

#include "tiles/bench/harness.cuh"
#include "tiles/src/problem.h"
#include "tiles/src/validate.h"

namespace {

using harness::Comparison;
using harness::Operand;
using tiles::Compute;
using tiles::DataType;
using tiles::GemmArguments;
using tiles::Layout;
using tiles::Op;

struct Case {
    int64_t m, n, k, batch = 1;
    double alpha = 1, beta = 0;
    Layout layout = Layout::kRowMajor;
    Op op_a = Op::kNone, op_b = Op::kNone;
    int pad_a = 0, pad_b = 0, pad_c = 0;  // added to the leading dimensions
    int shift = 0;                        // elements off alignment
    bool narrow_c = false;                // C in the type of A and B
    bool workspace = true;
    bool beside = false;    // the matrices of a batch lie side by side
    bool tail = false;      // cut the last wave's tiles; needs a kernel that can, and more than a wave of tiles
    bool specials = false;  // infinities and NaNs among the factors
    int split = 0;          // parts of k; 0: as the model has it
};

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

void print_case(const Case& t) {
    std::printf("m %lld n %lld k %lld batch %lld alpha %g beta %g %s %s%s pad %d %d %d shift %d%s%s\n",
                static_cast<long long>(t.m), static_cast<long long>(t.n), static_cast<long long>(t.k),
                static_cast<long long>(t.batch), t.alpha, t.beta, t.layout == Layout::kRowMajor ? "row" : "column",
                t.op_a == Op::kNone ? "N" : "T", t.op_b == Op::kNone ? "N" : "T", t.pad_a, t.pad_b, t.pad_c, t.shift,
                t.narrow_c ? " narrow" : "", t.workspace ? "" : " no-workspace");
    if (t.tail) std::printf("  (with its tail cut)\n");
    if (t.split > 0) std::printf("  (k in %d parts)\n", t.split);
    if (t.specials) std::printf("  (with infinities)\n");
    if (t.beside && t.batch > 1) std::printf("  (side by side)\n");
}

Case random_case(std::mt19937_64& random, bool half) {
    auto pick = [&](std::initializer_list<int> from) { return from.begin()[random() % from.size()]; };
    auto size = [&]() -> int64_t {
        switch (random() % 4) {
            case 0:
                return pick({0, 1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 31, 32, 33, 61, 64, 65, 67, 127, 128, 129, 130});
            case 1: return 1 + static_cast<int64_t>(random() % 130);
            case 2: return 1 + static_cast<int64_t>(random() % 600);
            default: return 4 * (1 + static_cast<int64_t>(random() % 100));
        }
    };
    Case t;
    t.m = size(), t.n = size(), t.k = size();
    if (random() % 16 == 0) t.k = 1024 + static_cast<int64_t>(random() % 3000);
    t.batch = random() % 4 == 0 ? static_cast<int64_t>(random() % 4) : 1;
    t.alpha = random() % 3 == 0 ? pick({-1, 0, 2}) : 1;
    t.beta = random() % 2 == 0 ? 0 : pick({1, -2, 1});
    t.layout = random() % 4 == 0 ? Layout::kColumnMajor : Layout::kRowMajor;
    t.op_a = random() % 2 ? Op::kNone : Op::kTranspose;
    t.op_b = random() % 2 ? Op::kNone : Op::kTranspose;
    if (random() % 2 == 0) {
        t.pad_a = pick({0, 1, 3, 4, 8, 61}), t.pad_b = pick({0, 1, 4, 5, 8, 64}), t.pad_c = pick({0, 1, 4, 7, 8, 100});
    }
    t.shift = random() % 3 == 0 ? pick({1, 2, 3, 4}) : 0;
    t.narrow_c = half && random() % 2 == 0;
    t.workspace = random() % 3 != 0;
    t.specials = random() % 4 == 0;
    t.beside = random() % 3 == 0;
    return t;
}

// Few products that take a kernel through all its code, for runs under compute-sanitizer: every pair of ways to copy
// the factors, edges of tiles, buffers used again, batches, k shared or cut. Sizes follow the tile, to be as small as
// can be.
std::vector<Case> covering_cases(int64_t tile_m, int64_t tile_n, int64_t tile_k, bool half) {
    std::vector<Case> cases(1);
    cases[0].m = cases[0].n = cases[0].k = 1;
    const auto up = [](int64_t size) { return (size + 7) / 8 * 8; };  // 16 bytes of any type
    for (int way = 0; way < 16; ++way) {
        Case t;
        t.op_a = way & 1 ? Op::kTranspose : Op::kNone, t.op_b = way & 2 ? Op::kTranspose : Op::kNone;
        t.m = up(tile_m + 3), t.n = up(tile_n + 3), t.k = up(std::clamp<int64_t>(5 * tile_k, 40, 400));
        t.pad_a = way & 4 ? 1 : 0, t.pad_b = way & 8 ? 1 : 0, t.pad_c = way % 3;
        if (way % 5 == 4) t.m -= 5, t.n -= 3, t.k -= 1;
        if (tile_m * tile_n == 1) t.m = way & 1 ? 1 : 43, t.n = way & 1 ? 43 : 1;  // a column or row of results
        t.batch = way % 4 == 2 ? 2 : 1, t.beside = way == 6, t.beta = way % 2, t.narrow_c = half && way % 3 == 0;
        t.layout = way % 7 == 6 ? Layout::kColumnMajor : Layout::kRowMajor;
        t.workspace = way % 8 != 7;
        cases.push_back(t);
    }
    for (const int64_t depth : {40, 200}) {  // one tile, for few and for many blocks
        Case t;
        t.m = tile_m, t.n = tile_n, t.k = depth * std::max<int64_t>(tile_k, 8);
        cases.push_back(t);
    }
    return cases;
}

// Tails of each sort, one for each transpose: a matrix by itself, then batches of matrices with two tiles each (a
// little more than one tile in both directions, whichever way pairs of blocks lie) that leave two tiles, more than half
// a wave, a third of one.
void add_covering_tails(const tiles::Kernel& kernel, bool half, std::vector<Case>& cases) {
    const tiles::DeviceProperties* device = nullptr;
    if (!tiles::current_device(&device).ok()) return;
    const int64_t clusters = std::max(device->sms / kernel.tail_cluster, 1);
    for (int ops = 0; ops < 4; ++ops) {
        Case t;
        t.op_a = ops & 1 ? Op::kTranspose : Op::kNone, t.op_b = ops & 2 ? Op::kTranspose : Op::kNone;
        t.beta = ops % 2, t.narrow_c = half && ops % 2 == 0;
        t.workspace = t.tail = true;
        t.m = kernel.tile_m + 3, t.n = kernel.tile_n + 5, t.k = 3 * kernel.tile_k;
        switch (ops) {
            case 0:
                t.m = 9 * (kernel.tile_m % 128 == 0 ? 256 : kernel.tile_m) - 3, t.n = (clusters / 9 + 2) * 256 - 5;
                break;
            case 1: t.batch = clusters / 2 + 1, t.k = 12 * kernel.tile_k; break;
            case 2: t.batch = (clusters + clusters / 2) / 2 + 1, t.k = clusters * kernel.tile_k; break;
            default: t.batch = (clusters + clusters / 3) / 2, t.m = t.m / 8 * 8 + 8, t.n = t.n / 8 * 8 + 8; break;
        }
        cases.push_back(t);
    }
}

std::vector<Case> make_cases(std::mt19937_64& random, bool half, int count) {
    std::vector<Case> cases;
    for (const int m : {1, 2, 7, 16, 31, 64, 65, 129, 257}) {
        for (const int n : {1, 3, 8, 17, 33, 64, 127, 130, 258}) {
            for (const int k : {1, 4, 9, 15, 32, 66, 131}) {
                Case t;
                t.m = m, t.n = n, t.k = k, t.narrow_c = half && (m & 1);
                const uint64_t draw = random();
                t.op_a = draw & 1 ? Op::kTranspose : Op::kNone, t.op_b = draw & 2 ? Op::kTranspose : Op::kNone;
                cases.push_back(t);
            }
        }
    }
    // A matrix with rows further apart than 32 bits of elements reach.
    Case far;
    far.m = 70, far.n = 40, far.k = 33, far.pad_a = far.pad_c = 1 << 25;
    cases.push_back(far);
    for (int i = 0; i < count; ++i) cases.push_back(random_case(random, half));
    return cases;
}

// More tiles than an H200 has clusters of two: the last wave is cut. Every transpose, and what random_case draws.
void add_tail_cases(std::mt19937_64& random, const tiles::Kernel& kernel, bool half, int count,
                    std::vector<Case>& cases) {
    const int64_t rows = kernel.tile_m % 128 == 0 ? 256 : kernel.tile_m, columns = 256;
    for (int i = 0; i < count; ++i) {
        Case t = random_case(random, half);
        const bool shared = i % 8 == 3;  // ten by ten tiles: 34 are left, one of them for all clusters
        const int64_t most_m = rows * (shared ? 1 : 2), most_n = columns * (shared ? 1 : 2);
        t.m = 10 * rows - static_cast<int64_t>(random() % static_cast<uint64_t>(most_m));
        t.n = 10 * columns - static_cast<int64_t>(random() % static_cast<uint64_t>(most_n));
        t.k = (shared ? 66 * kernel.tile_k : 200) + static_cast<int64_t>(random() % 300);
        t.batch = i % 6 == 5 ? 2 : 1;
        if (random() % 2 == 0) t.m = t.m / 8 * 8, t.n = t.n / 8 * 8, t.k = t.k / 8 * 8;
        const uint64_t draw = random();
        t.op_a = draw & 1 ? Op::kTranspose : Op::kNone, t.op_b = draw & 2 ? Op::kTranspose : Op::kNone;
        t.workspace = t.tail = true;
        cases.push_back(t);
    }
}

// k in parts, of which some are added up in clusters and some by a second kernel; some have fewer blocks of k than
// parts.
void add_split_cases(std::mt19937_64& random, int tile_k, bool half, int count, std::vector<Case>& cases) {
    for (int i = 0; i < count; ++i) {
        constexpr int kParts[] = {2, 3, 4, 8, 6, 12, 16, 32, 40};
        Case t = random_case(random, half);
        t.split = kParts[i % 9];
        t.m = std::max<int64_t>(t.m, 1), t.n = std::max<int64_t>(t.n, 1), t.k = std::max<int64_t>(t.k, 1);
        t.k += int64_t{tile_k} * (t.split - 1) * static_cast<int64_t>(random() % 2);
        t.batch = std::max<int64_t>(t.batch, 1), t.alpha = t.alpha == 0 ? 1 : t.alpha, t.workspace = true;
        cases.push_back(t);
    }
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
        std::vector<Case> cases = covering ? covering_cases(kernel.tile_m, kernel.tile_n, kernel.tile_k, half)
                                           : make_cases(random, half, count);
        if (kernel.tail_cluster > 0 && covering) add_covering_tails(kernel, half, cases);
        if (kernel.tail_cluster > 0 && !covering) add_tail_cases(random, kernel, half, 32, cases);
        if (kernel.max_split > 2) add_split_cases(random, kernel.tile_k, half, covering ? 9 : 135, cases);
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
