// Blocks of a cluster that read each other's shared memory.
#include <cooperative_groups.h>

#include "fourfold.cuh"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) histogram(const int* in, int* out, int count) {
    __shared__ int bins[16];
    const auto cluster = cg::this_cluster();
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(cluster.map_shared_rank(bins, in[i] / 16) + in[i] % 16, 1);
    cluster.sync();
    if (threadIdx.x < 16) atomicAdd(&out[cluster.block_rank() * 16 + threadIdx.x], bins[threadIdx.x]);
}

int main() {
    constexpr int count = 2000;
    const std::vector<int> values = numbers<int>(count, 0, 63);
    std::vector<int> expected(64);
    for (const int v : values) ++expected[v];
    const Buffer<int> in(values), out(64);
    histogram<<<8, 64>>>(in, out, count);
    return same("histogram", out.host(), expected);
}
