// Sums of segments of different lengths: a thread, a warp or a block for each, as its length asks.
#include "fourfold.cuh"

__global__ void by_threads(const int* offsets, const int* in, int segments, int* out) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= segments) return;
    int sum = 0;
    for (int i = offsets[s]; i < offsets[s + 1]; ++i) sum += in[i];
    out[s] = sum;
}

__global__ void by_warps(const int* offsets, const int* in, int segments, int* out) {
    const int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (s >= segments) return;
    int sum = 0;
    for (int i = offsets[s] + lane; i < offsets[s + 1]; i += 32) sum += in[i];
    for (int offset = 16; offset; offset >>= 1) sum += __shfl_down_sync(~0u, sum, offset);
    if (lane == 0) out[s] = sum;
}

__global__ void by_blocks(const int* offsets, const int* in, int* out) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int mine = 0;
    for (int i = offsets[blockIdx.x] + threadIdx.x; i < offsets[blockIdx.x + 1]; i += blockDim.x) mine += in[i];
    mine = __reduce_add_sync(~0u, mine);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
    constexpr int segments = 50;
    const std::vector<int> lengths = numbers<int>(segments, 0, 90);
    std::vector<int> offsets{0}, expected;
    for (int length : lengths) offsets.push_back(offsets.back() + length);
    const std::vector<int> values = numbers<int>(offsets.back(), -99, 99, 5);
    for (int s = 0; s < segments; ++s) {
        expected.push_back(0);
        for (int i = offsets[s]; i < offsets[s + 1]; ++i) expected.back() += values[i];
    }
    const Buffer<int> o(offsets), in(values), out(segments);
    int bad = 0;
    by_threads<<<1, 64>>>(o, in, segments, out);
    bad += same("threads", out.host(), expected);
    by_warps<<<13, 128>>>(o, in, segments, out);
    bad += same("warps", out.host(), expected);
    by_blocks<<<segments, 64>>>(o, in, out);
    return bad + same("blocks", out.host(), expected);
}
