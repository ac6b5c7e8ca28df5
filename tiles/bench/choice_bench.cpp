// What it costs the host to choose a kernel: nanoseconds per call for shapes asked for the first time and again.
//
// usage: tiles_choice_bench
//
// Needs no GPU: the device is made up, an H200's figures.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "tiles/plan/cost_model.h"

namespace {

using tiles::Compute;
using tiles::DataType;

struct Shape {
    Compute compute;
    const char* name;
    int64_t m, n, k;
};

constexpr Shape kShapes[] = {
    {Compute::kF32, "f32", 1000, 1000, 1000},
    {Compute::kF32, "f32", 4096, 4096, 4096},
    {Compute::kF32, "f32", 128, 128, 65536},
    {Compute::kF32Tensor, "f32tensor", 1000, 1000, 1000},
    {Compute::kF32Tensor, "f32tensor", 8192, 8192, 8192},
    {Compute::kTF32, "tf32", 4095, 4095, 4095},
    {Compute::kBF16, "bf16", 64, 4096, 4096},
    {Compute::kBF16, "bf16", 4096, 4096, 4096},
    {Compute::kBF16, "bf16", 128, 128, 65536},
    {Compute::kF64, "f64", 4096, 4096, 4096},
};

tiles::DeviceProperties h200() {
    tiles::DeviceProperties device;
    device.major = 9, device.tensor_maps = true, device.sms = 132, device.clock_ghz = 1.98,
    device.memory_gb_per_s = 4800;
    device.shared_per_block = 232448, device.shared_per_sm = 233472, device.l2_bytes = 62914560;
    return device;
}

tiles::GemmProblem problem_of(const Shape& s) {
    tiles::GemmProblem p;
    p.compute = s.compute, p.type_c = s.compute == Compute::kF64 ? DataType::kF64 : DataType::kF32;
    p.m = s.m, p.n = s.n, p.k = s.k, p.lda = s.k, p.ldb = s.n, p.ldc = s.n;
    return p;
}

// The median over many samples of what a call takes; `step` is added to m before each, so that it is another shape.
double nanoseconds(tiles::GemmProblem p, const tiles::DeviceProperties& device, size_t limit, int64_t step) {
    constexpr int kSamples = 201, kCalls = 20;
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        for (int call = 0; call < kCalls; ++call) {
            p.m += step;
            if (tiles::choose_kernel(p, device, limit).kernel == nullptr) return -1;
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        samples.push_back(took.count() / kCalls);
    }
    std::nth_element(samples.begin(), samples.begin() + kSamples / 2, samples.end());
    return samples[kSamples / 2];
}

}  // namespace

int main() {
    const tiles::DeviceProperties device = h200();
    std::printf("%-10s %-18s %12s %12s  %s\n", "compute", "shape", "first, ns", "again, ns", "choice");
    for (const Shape& s : kShapes) {
        const tiles::GemmProblem p = problem_of(s);
        constexpr size_t kWorkspace = size_t{1} << 30;
        const tiles::Choice choice = tiles::choose_kernel(p, device, kWorkspace);
        char shape[64];
        std::snprintf(shape, sizeof(shape), "%lldx%lldx%lld", static_cast<long long>(s.m), static_cast<long long>(s.n),
                      static_cast<long long>(s.k));
        std::printf("%-10s %-18s %12.0f %12.0f  %s/%d%s\n", s.name, shape, nanoseconds(p, device, kWorkspace, 1),
                    nanoseconds(p, device, kWorkspace, 0), choice.kernel != nullptr ? choice.kernel->name : "none",
                    choice.tuning.split_k, choice.tuning.cut_tail ? "/tail" : "");
    }
    return 0;
}
