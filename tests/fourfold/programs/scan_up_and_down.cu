// An exclusive scan by a tree, up and down, with padding against bank conflicts, and the sums of blocks added after.
#include "fourfold.cuh"

#define PADDED(i) ((i) + ((i) >> 5))

__global__ void scan_blocks(const unsigned* in, unsigned* out, unsigned* sums) {
    extern __shared__ unsigned tree[];
    const int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
    tree[PADDED(t)] = in[base + t];
    tree[PADDED(t + n / 2)] = in[base + t + n / 2];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) tree[PADDED(offset * (2 * t + 2) - 1)] += tree[PADDED(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0) {
        if (sums) sums[blockIdx.x] = tree[PADDED(n - 1)];
        tree[PADDED(n - 1)] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int a = PADDED(offset * (2 * t + 1) - 1), b = PADDED(offset * (2 * t + 2) - 1);
            const unsigned left = tree[a];
            tree[a] = tree[b];
            tree[b] += left;
        }
    }
    __syncthreads();
    out[base + t] = tree[PADDED(t)];
    out[base + t + n / 2] = tree[PADDED(t + n / 2)];
}

__global__ void add_sums(unsigned* out, const unsigned* sums) {
    out[blockIdx.x * 2 * blockDim.x + threadIdx.x] += sums[blockIdx.x];
    out[blockIdx.x * 2 * blockDim.x + blockDim.x + threadIdx.x] += sums[blockIdx.x];
}

int main() {
    constexpr int threads = 64, blocks = 16, count = 2 * threads * blocks;
    const std::vector<unsigned> values = numbers<unsigned>(count, 0, 1000000);
    std::vector<unsigned> expected(count);
    for (int i = 1; i < count; ++i) expected[i] = expected[i - 1] + values[i - 1];
    const Buffer<unsigned> in(values), out(count), sums(blocks), before(blocks);
    scan_blocks<<<blocks, threads, (2 * threads + 8) * sizeof(unsigned)>>>(in, out, sums);
    scan_blocks<<<1, blocks / 2, (blocks + 8) * sizeof(unsigned)>>>(sums, before, nullptr);
    add_sums<<<blocks, threads>>>(out, before);
    return same("scan", out.host(), expected);
}
