// Rung 3: tiles of A and B in shared memory.
//
// The idea: the 32 x 32 threads of a block need the same rows of A and columns of B. They load a tile of each together,
// once, and then read it 32 times from shared memory: the traffic with global memory falls by the tile's width. Only
// for m, n and k that are multiples of 32; the launch takes f32_coalesced for others, and the next rung lifts the
// limit.
#pragma once

#include "tiles/kernels/product.cuh"

namespace tiles {

constexpr int kSharedTile = 32;

__global__ void __launch_bounds__(kSharedTile* kSharedTile) f32_shared_tile(const Product<float> p) {
    __shared__ float tile_a[kSharedTile][kSharedTile];
    __shared__ float tile_b[kSharedTile][kSharedTile];
    const MatrixTile at = matrix_tile(p);
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t row = static_cast<int64_t>(at.row) * kSharedTile + y;
    const int64_t column = static_cast<int64_t>(at.column) * kSharedTile + x;
    const float* a = p.a + at.matrix * p.stride_a + row * p.a_by_row;
    const float* b = p.b + at.matrix * p.stride_b + column * p.b_by_column;
    float sum = 0;
    for (int64_t first = 0; first < p.k; first += kSharedTile) {
        tile_a[y][x] = a[(first + x) * p.a_by_k];
        tile_b[y][x] = b[(first + y) * p.b_by_k];
        __syncthreads();
        for (int k = 0; k < kSharedTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    store(p.c + at.matrix * p.stride_c + row * p.ldc + column, sum, p.alpha, p.beta);
}

}  // namespace tiles
