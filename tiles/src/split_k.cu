#include "tiles/src/split_k.h"

#include "tiles/kernels/dependent_launch.cuh"
#include "tiles/kernels/widen.cuh"
#include "tiles/src/launch.h"
#include "tiles/src/repitch.h"

namespace tiles {
namespace {

struct AddArguments {
    const float* sums;
    int64_t pitch, plane;  // elements
    int64_t m, n, batch;
    int parts;
    void* c;
    int64_t ldc, stride_c;
    float alpha, beta;
};

constexpr int kThreads = 256, kColumns = 4;

// kLanes neighbouring threads share four columns: each adds every kLanes-th plane, then they add up in a fixed order.
template <class Out, int kLanes>
__global__ void __launch_bounds__(kThreads) add_parts(const AddArguments g) {
    const int64_t pieces = (g.n + kColumns - 1) / kColumns;
    const int64_t index = (blockIdx.x * static_cast<int64_t>(kThreads) + threadIdx.x) / kLanes;
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
    const bool inside = index < pieces * g.m * g.batch;
    const int64_t line = index / pieces, matrix = line / g.m, row = line % g.m, column = index % pieces * kColumns;
    const float* from = g.sums + matrix * g.parts * g.plane + row * g.pitch + column;
    float sum[kColumns] = {0, 0, 0, 0};
    wait_for_earlier_kernels();
#pragma unroll 4
    for (int part = lane; inside && part < g.parts; part += kLanes) {
        const float4 v = *reinterpret_cast<const float4*>(from + part * g.plane);
        sum[0] += v.x, sum[1] += v.y, sum[2] += v.z, sum[3] += v.w;
    }
#pragma unroll
    for (int step = kLanes / 2; step > 0; step /= 2) {
#pragma unroll
        for (int i = 0; i < kColumns; ++i) sum[i] += __shfl_xor_sync(~0u, sum[i], step);
    }
    if (!inside || lane != 0) return;
    Out* to = static_cast<Out*>(g.c) + matrix * g.stride_c + row * g.ldc + column;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
        if (column + i >= g.n) break;
        const float before = g.beta == 0 ? 0 : g.beta * widened(to[i]);
        narrow(g.alpha * sum[i] + before, &to[i]);
    }
}

constexpr int kManyParts = 12;

template <class Out>
Status start(const AddArguments& g, int64_t pieces, cudaStream_t stream) {
    const int lanes = g.parts >= kManyParts ? 8 : 1;
    const unsigned blocks = static_cast<unsigned>((pieces * lanes + kThreads - 1) / kThreads);
    const auto kernel = lanes == 8 ? preloaded<add_parts<Out, 8>>() : preloaded<add_parts<Out, 1>>();
    return launch_kernel(kernel, {dim3(blocks), kThreads, 0, stream, true}, g);
}

}  // namespace

int64_t sums_pitch(const GemmProblem& problem) { return (problem.n + 31) / 32 * 32; }

size_t sums_bytes(const GemmProblem& p, int parts) {
    return aligned_bytes(sizeof(float) * static_cast<size_t>(sums_pitch(p) * p.m * p.batch * parts));
}

Status launch_add_parts(const GemmProblem& p, const float* sums, int parts) {
    AddArguments g{sums,
                   sums_pitch(p),
                   sums_pitch(p) * p.m,
                   p.m,
                   p.n,
                   p.batch,
                   parts,
                   p.c,
                   p.ldc,
                   p.stride_c,
                   static_cast<float>(p.alpha),
                   static_cast<float>(p.beta)};
    const int64_t pieces = (p.n + kColumns - 1) / kColumns * p.m * p.batch;
    if (p.type_c == DataType::kF32) return start<float>(g, pieces, p.stream);
    if (p.type_c == DataType::kBF16) return start<__nv_bfloat16>(g, pieces, p.stream);
    return start<__half>(g, pieces, p.stream);
}

}  // namespace tiles
