// Tiles that come into shared memory while another is worked on: two stages of copies by hardware.
#include <cuda_pipeline.h>

#include "fourfold.cuh"

constexpr int kTile = 128;

__global__ void staged(const float* in, float* out, int tiles) {
    __shared__ __align__(16) float stage[2][kTile];
    const int t = threadIdx.x;
    const float* from = in + blockIdx.x * tiles * kTile;
    const auto fetch = [&](int tile) {
        if (t < kTile / 4) __pipeline_memcpy_async(&stage[tile % 2][t * 4], from + tile * kTile + t * 4, 16);
        __pipeline_commit();
    };
    float sum = 0;
    fetch(0);
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile + 1 < tiles) fetch(tile + 1);
        __pipeline_wait_prior(tile + 1 < tiles ? 1 : 0);
        __syncthreads();
        sum += stage[tile % 2][kTile - 1 - t] * (tile + 1);
        __syncthreads();
    }
    out[blockIdx.x * kTile + t] = sum;
}

int main() {
    constexpr int blocks = 3, tiles = 6;
    const std::vector<float> values = numbers<float>(blocks * tiles * kTile, -1, 1);
    std::vector<float> expected(blocks * kTile);
    for (int i = 0; i < blocks * kTile; ++i)
        for (int tile = 0; tile < tiles; ++tile)
            expected[i] += values[(i / kTile * tiles + tile) * kTile + kTile - 1 - i % kTile] * (tile + 1);
    const Buffer<float> in(values), out(expected.size());
    staged<<<blocks, kTile>>>(in, out, tiles);
    return near("sums", out.host(), expected);
}
