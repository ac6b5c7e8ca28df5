// A scan in one pass: blocks take numbers in the order they start, and wait for what stands to their left.
#include "fourfold.cuh"

__device__ unsigned next_block;

__global__ void scan(const int* in, int* out, volatile int* prefixes, volatile int* ready) {
    __shared__ int block, before, warps[4];
    if (threadIdx.x == 0) block = atomicAdd(&next_block, 1);
    __syncthreads();
    const int i = block * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int value = in[i];
    for (int offset = 1; offset < 32; offset *= 2) {
        const int left = __shfl_up_sync(~0u, value, offset);
        if (lane >= offset) value += left;
    }
    if (lane == 31) warps[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; ++w) value += warps[w];
    if (threadIdx.x == blockDim.x - 1) {
        int carried = 0;
        if (block > 0) {
            while (ready[block - 1] == 0) __nanosleep(50);
            __threadfence();
            carried = prefixes[block - 1];
        }
        prefixes[block] = carried + value;
        __threadfence();
        ready[block] = 1;
        before = carried;
    }
    __syncthreads();
    out[i] = before + value;
}

int main() {
    constexpr int threads = 128, blocks = 24, count = threads * blocks;
    const std::vector<int> values = numbers<int>(count, -3, 7);
    std::vector<int> expected = values;
    for (int i = 1; i < count; ++i) expected[i] += expected[i - 1];
    const Buffer<int> in(values), out(count), prefixes(blocks), ready(blocks);
    scan<<<blocks, threads>>>(in, out, prefixes, ready);
    return same("scan", out.host(), expected);
}
