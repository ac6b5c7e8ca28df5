// Tiles wider than a warp: their ranks, barriers, values from other warps and reductions, against what the block
// computes in shared memory by itself.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kThreads = 512;

struct Triple {
    double x;
    int y, z;
};

template <unsigned Size>
__device__ bool right(const cg::thread_block& block, const int* values) {
    const auto tile = cg::tiled_partition<Size>(block);
    const unsigned thread = threadIdx.x, first = thread / Size * Size;
    const int value = values[thread];
    int sum = 0, most = 0;
    bool odd = false, even = true;
    for (unsigned i = first; i < first + Size; ++i) {
        sum += values[i];
        most = values[i] > most ? values[i] : most;
        odd |= values[i] % 71 == 0;
        even &= values[i] % 71 != 3;
    }
    const unsigned from = Size - 7;
    const Triple triple = tile.shfl(Triple{value * 0.5, value, -value}, from);
    const int there = values[first + from];
    tile.sync();
    return cg::reduce(tile, value, cg::plus<int>()) == sum && cg::reduce(tile, value, cg::greater<int>()) == most &&
           (tile.any(value % 71 == 0) != 0) == odd && (tile.all(value % 71 != 3) != 0) == even &&
           tile.thread_rank() == thread % Size && tile.num_threads() == Size &&
           tile.meta_group_rank() == thread / Size && tile.meta_group_size() == kThreads / Size &&
           triple.x == there * 0.5 && triple.y == there && triple.z == -there &&
           cg::tiled_partition<32>(tile).meta_group_rank() == thread % Size / 32 &&
           cg::tiled_partition<32>(tile).meta_group_size() == Size / 32;
}

// Each tile waits for itself alone: the first does not reach what the second does.
__device__ bool alone(const cg::thread_block& block) {
    __shared__ volatile int steps;
    if (threadIdx.x == 0) steps = 0;
    block.sync();
    const auto tile = cg::tiled_partition<64>(block);
    for (int i = 0; i < 10; ++i) {
        if (threadIdx.x < 64) {
            tile.sync();
            if (threadIdx.x == i) steps = steps + 1;
            tile.sync();
        }
    }
    block.sync();
    return steps == 10;
}

__global__ void kernel(int* wrong) {
    __shared__ cg::block_tile_memory<kThreads> memory;
    __shared__ int values[kThreads];
    const cg::thread_block block = cg::this_thread_block(memory);
    values[threadIdx.x] = threadIdx.x * 7919u % 1009;
    block.sync();
    if (!right<64>(block, values)) atomicAdd(wrong, 1);
    if (!right<128>(block, values)) atomicAdd(wrong + 1, 1);
    if (!right<256>(block, values)) atomicAdd(wrong + 2, 1);
    if (!right<512>(block, values)) atomicAdd(wrong + 3, 1);
    if (!alone(block)) atomicAdd(wrong + 4, 1);
}

int main() {
    int* wrong;
    cudaMallocManaged(&wrong, 5 * sizeof(int));
    for (int i = 0; i < 5; ++i) wrong[i] = 0;
    kernel<<<1, kThreads>>>(wrong);
    const cudaError_t error = cudaDeviceSynchronize();
    const char* const names[] = {"tiles of 64", "tiles of 128", "tiles of 256", "tiles of 512", "tiles alone"};
    for (int i = 0; i < 5; ++i)
        printf("%s %s: %d threads\n", error == cudaSuccess && wrong[i] == 0 ? "PASS" : "FAIL", names[i], wrong[i]);
}
