// A sum by a grid that waits for all of its blocks: a cooperative launch.
#include <cooperative_groups.h>

#include <numeric>

#include "fourfold.cuh"

namespace cg = cooperative_groups;

__global__ void sum_together(const int* in, int* parts, int* out, int count) {
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    __shared__ int sum;
    if (block.thread_rank() == 0) sum = 0;
    block.sync();
    int mine = 0;
    for (int i = grid.thread_rank(); i < count; i += grid.size()) mine += in[i];
    atomicAdd(&sum, mine);
    block.sync();
    if (block.thread_rank() == 0) parts[blockIdx.x] = sum;
    grid.sync();
    if (grid.thread_rank() == 0) {
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) total += parts[i];
        *out = total;
    }
}

int main() {
    int count = 3000, blocks = 0;
    const std::vector<int> values = numbers<int>(count, 0, 1000);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_together, 64, 0));
    std::printf("%d blocks an SM\n", blocks);
    const Buffer<int> in(values), parts(8), out(1);
    int *from = in, *between = parts, *to = out;
    void* arguments[] = {&from, &between, &to, &count};
    CHECK(cudaLaunchCooperativeKernel((void*)sum_together, dim3(8), dim3(64), arguments, 0, 0));
    return same("sum", out.host(), {std::accumulate(values.begin(), values.end(), 0)});
}
