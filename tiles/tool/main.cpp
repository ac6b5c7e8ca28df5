// The command `tiles`: what the library's kernels do on this card.
//
//   tiles ladder [N]     every rung at N x N x N (4096): idea, FLOP per byte, TFLOP/s, share of cuBLAS, of the roof
//   tiles kernels        the names that GemmOptions::kernel takes
//   tiles tune [FILE]    measures every kernel on this card and writes the figures that the cost model then uses
//
// Exit status 2 for a wrong command line, 1 when the device fails.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "tiles/gemm.h"
#include "tiles/plan/cost_model.h"
#include "tiles/plan/device.h"
#include "tiles/plan/registry.h"
#include "tiles/plan/tuning_file.h"
#include "tiles/src/validate.h"
#include "tiles/tool/reference.h"

namespace {

using tiles::Compute;

constexpr const char* kComputeNames[] = {"f32", "f32 tensor", "tf32", "bf16", "f16", "f64"};

void check(cudaError_t error, const char* call) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "tiles: %s: %s\n", call, cudaGetErrorString(error));
    std::exit(1);
}

// Three matrices with random contents, reused for all sizes and types.
struct Matrices {
    void *a = nullptr, *b = nullptr, *c = nullptr, *workspace = nullptr;
    size_t workspace_bytes = size_t{256} << 20;
    cudaEvent_t begin = nullptr, end = nullptr;

    explicit Matrices(int64_t n) {
        const size_t bytes = static_cast<size_t>(n * n) * 8;
        for (void** one : {&a, &b, &c}) check(cudaMalloc(one, bytes), "cudaMalloc");
        check(cudaMalloc(&workspace, workspace_bytes), "cudaMalloc");
        check(cudaEventCreate(&begin), "cudaEventCreate");
        check(cudaEventCreate(&end), "cudaEventCreate");
    }

    // Random numbers in the type that `compute` reads: on zeros a card runs faster than on data.
    void fill(Compute compute, int64_t count) const {
        std::vector<unsigned char> bytes(static_cast<size_t>(count) * tiles::input_bytes(compute));
        uint64_t state = 0x9e3779b97f4a7c15ull;
        for (int64_t i = 0; i < count; ++i) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            const double value = static_cast<double>(state >> 11) * 0x1p-52 - 1;
            unsigned char* to = bytes.data() + static_cast<size_t>(i) * tiles::input_bytes(compute);
            const float single = static_cast<float>(value);
            if (compute == Compute::kF64)
                std::memcpy(to, &value, 8);
            else if (compute == Compute::kBF16) {
                const __nv_bfloat16 x = __float2bfloat16(single);
                std::memcpy(to, &x, 2);
            } else if (compute == Compute::kF16) {
                const __half x = __float2half(single);
                std::memcpy(to, &x, 2);
            } else
                std::memcpy(to, &single, 4);
        }
        for (void* to : {a, b}) check(cudaMemcpy(to, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    }

    tiles::GemmArguments product(Compute compute, int64_t m, int64_t n, int64_t k) const {
        tiles::GemmArguments g;
        g.compute = compute;
        g.type_c = compute == Compute::kF64    ? tiles::DataType::kF64
                   : compute == Compute::kBF16 ? tiles::DataType::kBF16
                   : compute == Compute::kF16  ? tiles::DataType::kF16
                                               : tiles::DataType::kF32;
        g.m = m, g.n = n, g.k = k, g.a = a, g.b = b, g.c = c, g.lda = k, g.ldb = n, g.ldc = n;
        g.options.workspace = workspace, g.options.workspace_bytes = workspace_bytes;
        return g;
    }

    // Median milliseconds of a call, after one to warm up; a negative number if it fails.
    template <typename Call>
    double milliseconds(Call&& call, int samples) const {
        if (!call()) return -1;
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        std::vector<float> times(static_cast<size_t>(samples));
        for (float& time : times) {
            check(cudaEventRecord(begin), "cudaEventRecord");
            if (!call()) return -1;
            check(cudaEventRecord(end), "cudaEventRecord");
            check(cudaEventSynchronize(end), "cudaEventSynchronize");
            check(cudaEventElapsedTime(&time, begin, end), "cudaEventElapsedTime");
        }
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }
};

const tiles::DeviceProperties& device() {
    const tiles::DeviceProperties* properties = nullptr;
    const tiles::Status status = tiles::current_device(&properties);
    if (!status.ok()) {
        std::fprintf(stderr, "tiles: %s: %s (CUDA error %d)\n", status.argument, status.message, status.cuda_error);
        std::exit(1);
    }
    return *properties;
}

std::string device_name() {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    return properties.name;
}

bool runs(const tiles::Kernel& kernel, const tiles::GemmArguments& g) {
    tiles::GemmProblem problem;
    return tiles::make_problem(g, &problem).ok() && device().capability() >= kernel.min_capability &&
           kernel.supports(problem, device());
}

// FLOP for each byte that a block's tile asks of global memory.
double intensity(const tiles::Kernel& kernel) {
    const double bytes = static_cast<double>(tiles::input_bytes(kernel.compute));
    if (kernel.figures.tile_k == 1) return 2 / (2 * bytes);  // nothing is kept: both factors of each FMA are read
    return 2.0 * kernel.figures.tile_m * kernel.figures.tile_n /
           ((kernel.figures.tile_m + kernel.figures.tile_n) * bytes);
}

int ladder(int64_t n) {
    const Matrices matrices(n);
    const tiles::KernelList list = tiles::all_kernels();
    const double flop = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    std::printf("%s, %lld x %lld x %lld, row-major, random data\n", device_name().c_str(), static_cast<long long>(n),
                static_cast<long long>(n), static_cast<long long>(n));
    std::printf("%-24s %7s %8s %7s %6s %6s  %s\n", "rung", "FLOP/B", "TFLOP/s", "cuBLAS", "roof", "gain", "idea");
    double before = 0, reference_ms = -1;
    int compute = -1;
    for (int i = 0; i < list.count; ++i) {
        const tiles::Kernel& kernel = *list.rows[i];
        if (kernel.idea == nullptr) continue;
        if (static_cast<int>(kernel.compute) != compute) {
            compute = static_cast<int>(kernel.compute);
            matrices.fill(kernel.compute, n * n);
            const tiles::GemmArguments g = matrices.product(kernel.compute, n, n, n);
            reference_ms = matrices.milliseconds([&] { return tiles::reference_product(g); }, 9);
        }
        tiles::GemmArguments g = matrices.product(kernel.compute, n, n, n);
        g.options.kernel = kernel.name;
        if (!runs(kernel, g)) continue;
        const double ms =
            matrices.milliseconds([&] { return tiles::gemm(g).ok(); }, kernel.figures.efficiency < 0.05f ? 3 : 9);
        if (ms < 0) continue;
        const double rate = flop / ms * 1e-9, roof = tiles::peak_flops(kernel.compute, device()) * 1e-12;
        char share[16] = "-", gain[16] = "-";
        if (reference_ms > 0) std::snprintf(share, sizeof(share), "%.2f", reference_ms / ms);
        if (before > 0) std::snprintf(gain, sizeof(gain), "%.2fx", rate / before);
        std::printf("%-24s %7.1f %8.2f %7s %5.0f%% %6s  %s\n", kernel.name, intensity(kernel), rate, share,
                    100 * rate / roof, gain, kernel.idea);
        std::fflush(stdout);
        before = rate;
    }
    return 0;
}

int print_kernels() {
    const tiles::KernelList list = tiles::all_kernels();
    for (int i = 0; i < list.count; ++i) {
        const tiles::Kernel& kernel = *list.rows[i];
        std::printf("%-28s %-10s %3d x %3d x %3d  from %d.%d\n", kernel.name,
                    kComputeNames[static_cast<int>(kernel.compute)], kernel.figures.tile_m, kernel.figures.tile_n,
                    kernel.figures.tile_k, kernel.min_capability / 10, kernel.min_capability % 10);
    }
    return 0;
}

struct Probe {
    int64_t m, n, k;
};

// The first of the shapes that the kernel takes, named in `out`.
bool take_probe(const Matrices& matrices, const tiles::Kernel& kernel, std::initializer_list<Probe> probes,
                tiles::GemmArguments* out) {
    for (const Probe& probe : probes) {
        *out = matrices.product(kernel.compute, probe.m, probe.n, probe.k);
        out->options.kernel = kernel.name;
        if (runs(kernel, *out)) return true;
    }
    return false;
}

// The share of the peak with which the model predicts what was measured. Where the memory bounds even the row's own
// share, the measurement says nothing about it.
double fitted_efficiency(const tiles::Kernel& kernel, const tiles::GemmArguments& g, double fixed_us, double seconds) {
    tiles::GemmProblem problem;
    if (!tiles::make_problem(g, &problem).ok()) return kernel.figures.efficiency;
    const tiles::Tuning tuning = tiles::best_tuning(kernel, problem, device(), problem.workspace_bytes).tuning;
    tiles::TunedKernel figures{&kernel, kernel.figures.efficiency, fixed_us};
    tiles::DeviceProperties tuned = device();
    tuned.tuned = &figures, tuned.tuned_count = 1;
    const auto predicted = [&](double efficiency) {
        figures.efficiency = efficiency;
        return tiles::predict_seconds(kernel, tuning, problem, tuned);
    };
    constexpr double kMax = 1.5;
    if (predicted(kernel.figures.efficiency) <= 1.02 * predicted(kMax)) return kernel.figures.efficiency;
    double low = 1e-5, high = kMax;  // the prediction falls as the share rises
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(low * high);
        (predicted(middle) > seconds ? low : high) = middle;
    }
    return high;
}

// The fixed time from a tile (or, for pairs of blocks, two by two) over a short k, the share of the peak from a large
// product. Why not, if not.
const char* tune_kernel(const Matrices& matrices, const tiles::Kernel& kernel, int64_t side,
                        tiles::TunedKernel* found) {
    if (device().capability() < kernel.min_capability) return "is for later cards";
    const int64_t m = kernel.figures.tile_m, n = kernel.figures.tile_n, k = std::max(kernel.figures.tile_k, 32);
    tiles::GemmArguments large, small;
    if (!take_probe(matrices, kernel, {{side, side, side}, {side, 1, side}, {1, side, side}}, &large))
        return "takes no large probe";
    if (!take_probe(matrices, kernel, {{m, n, k}, {2 * m, 2 * n, k}, {m, 1, k}}, &small)) return "takes no small probe";
    const double large_ms = matrices.milliseconds([&] { return tiles::gemm(large).ok(); }, 5);
    const double small_ms = matrices.milliseconds([&] { return tiles::gemm(small).ok(); }, 31);
    if (large_ms <= 0 || small_ms <= 0) return "failed";
    // Of what is measured around a launch by itself, a queue of launches shows little: what a kernel takes that does
    // next to nothing is left out, but for the time between two kernels.
    constexpr double kBetweenUs = 2;
    const tiles::GemmArguments empty = matrices.product(Compute::kF32, 1, 1, 0);
    const double empty_ms = matrices.milliseconds([&] { return tiles::gemm(empty).ok(); }, 31);
    const double fixed_us = std::max(small_ms - empty_ms, 0.0) * 1e3 + kBetweenUs;
    *found = {&kernel, fitted_efficiency(kernel, large, fixed_us, large_ms * 1e-3), fixed_us};
    return nullptr;
}

int tune(const std::string& path) {
    constexpr int64_t kSide = 4096;
    const Matrices matrices(kSide);
    std::vector<tiles::TunedKernel> found;
    const tiles::KernelList list = tiles::all_kernels();
    int filled = -1;
    for (int i = 0; i < list.count; ++i) {
        const tiles::Kernel& kernel = *list.rows[i];
        if (static_cast<int>(kernel.compute) != filled) matrices.fill(kernel.compute, kSide * kSide);
        filled = static_cast<int>(kernel.compute);
        tiles::TunedKernel one;
        if (const char* reason = tune_kernel(matrices, kernel, kSide, &one)) {
            std::printf("%-28s skipped: %s\n", kernel.name, reason);
            continue;
        }
        found.push_back(one);
        std::printf("%-28s %6.1f%% of the peak, %6.1f us for one tile\n", kernel.name, 100 * one.efficiency,
                    one.fixed_us);
        std::fflush(stdout);
    }
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    if (path.empty() || !tiles::write_tuning(path, device_name(), found)) {
        std::fprintf(stderr, "tiles: cannot write '%s'\n", path.c_str());
        return 1;
    }
    std::printf("%zu of %d kernels, written to %s\n", found.size(), list.count, path.c_str());
    return 0;
}

int usage() {
    std::fprintf(stderr, "usage: tiles ladder [N] | tiles kernels | tiles tune [FILE]\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) return usage();
    const std::string command = argv[1];
    if (command == "kernels" && argc == 2) return print_kernels();
    if (command == "tune") return tune(argc == 3 ? argv[2] : tiles::tuning_path());
    if (command != "ladder") return usage();
    const long long side = argc == 3 ? std::atoll(argv[2]) : 4096;
    if (side < 1 || side > 32768) {
        std::fprintf(stderr, "tiles: N is not between 1 and 32768\n");
        return 2;
    }
    return ladder(side);
}
