// Rung 6: coarsening. A thread owns eight results below each other.
//
// The idea: until here every FMA reads two floats from shared memory. A thread with eight rows of one column reads its
// element of B once for eight FMA: nine reads for eight instead of sixteen, and fewer threads hold the same loop
// counters and addresses. Blocks of 64 x 8 threads make 64 x 64 results, any shape.
#pragma once

#include "tiles/kernels/product.cuh"

namespace tiles {

constexpr int kCoarseTile = 64, kCoarseDepth = 8, kCoarseRows = 8;

__global__ void __launch_bounds__(kCoarseTile* kCoarseTile / kCoarseRows) f32_coarsened(const Product<float> p) {
    __shared__ float tile_a[kCoarseTile][kCoarseDepth];
    __shared__ float tile_b[kCoarseDepth][kCoarseTile];
    const MatrixTile at = matrix_tile(p);
    const int thread = threadIdx.y * kCoarseTile + threadIdx.x;
    const int64_t first_row = static_cast<int64_t>(at.row) * kCoarseTile,
                  column = static_cast<int64_t>(at.column) * kCoarseTile + threadIdx.x;
    const int a_row = thread / kCoarseDepth, a_k = thread % kCoarseDepth;
    const float* a = p.a + at.matrix * p.stride_a + (first_row + a_row) * p.a_by_row;
    const float* b = p.b + at.matrix * p.stride_b + column * p.b_by_column;
    float sums[kCoarseRows] = {};
    for (int64_t first = 0; first < p.k; first += kCoarseDepth) {
        tile_a[a_row][a_k] = first_row + a_row < p.m && first + a_k < p.k ? a[(first + a_k) * p.a_by_k] : 0;
        tile_b[threadIdx.y][threadIdx.x] =
            column < p.n && first + threadIdx.y < p.k ? b[(first + threadIdx.y) * p.b_by_k] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kCoarseDepth; ++k) {
            const float factor = tile_b[k][threadIdx.x];
#pragma unroll
            for (int i = 0; i < kCoarseRows; ++i) sums[i] += tile_a[threadIdx.y * kCoarseRows + i][k] * factor;
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kCoarseRows; ++i) {
        const int64_t row = first_row + threadIdx.y * kCoarseRows + i;
        if (row < p.m && column < p.n)
            store(p.c + at.matrix * p.stride_c + row * p.ldc + column, sums[i], p.alpha, p.beta);
    }
}

}  // namespace tiles
