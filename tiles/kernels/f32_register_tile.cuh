// Rung 7: a two-dimensional tile in registers. A thread owns 8 x 8 results.
//
// The idea: 16 floats read from shared memory feed 64 FMA, an outer product. A thread's rows and columns lie 16 apart,
// so that the lanes of a warp read neighbours or the same word and no bank is asked twice. Blocks of 16 x 16 threads
// make 128 x 128 results, any shape.
#pragma once

#include "tiles/kernels/product.cuh"

namespace tiles {

constexpr int kRegisterTile = 128, kRegisterDepth = 8, kRegisterThreads = 256, kRegisterSide = 8;

__global__ void __launch_bounds__(kRegisterThreads, 2) f32_register_tile(const Product<float> p) {
    __shared__ float tile_a[kRegisterDepth][kRegisterTile + 4];
    __shared__ float tile_b[kRegisterDepth][kRegisterTile];
    const MatrixTile at = matrix_tile(p);
    const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
    const int64_t first_row = static_cast<int64_t>(at.row) * kRegisterTile,
                  first_column = static_cast<int64_t>(at.column) * kRegisterTile;
    const float* a = p.a + at.matrix * p.stride_a;
    const float* b = p.b + at.matrix * p.stride_b;
    float sums[kRegisterSide][kRegisterSide] = {};
    for (int64_t first = 0; first < p.k; first += kRegisterDepth) {
#pragma unroll
        for (int i = 0; i < kRegisterTile * kRegisterDepth / kRegisterThreads; ++i) {
            const int element = thread + i * kRegisterThreads;
            const int a_row = element / kRegisterDepth, a_k = element % kRegisterDepth;
            const int b_column = element % kRegisterTile, b_k = element / kRegisterTile;
            const bool inside_a = first_row + a_row < p.m && first + a_k < p.k;
            const bool inside_b = first_column + b_column < p.n && first + b_k < p.k;
            tile_a[a_k][a_row] = inside_a ? a[(first_row + a_row) * p.a_by_row + (first + a_k) * p.a_by_k] : 0;
            tile_b[b_k][b_column] =
                inside_b ? b[(first + b_k) * p.b_by_k + (first_column + b_column) * p.b_by_column] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kRegisterDepth; ++k) {
            float row[kRegisterSide], column[kRegisterSide];
#pragma unroll
            for (int i = 0; i < kRegisterSide; ++i) row[i] = tile_a[k][y + 16 * i], column[i] = tile_b[k][x + 16 * i];
#pragma unroll
            for (int i = 0; i < kRegisterSide; ++i) {
#pragma unroll
                for (int j = 0; j < kRegisterSide; ++j) sums[i][j] += row[i] * column[j];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kRegisterSide; ++i) {
        const int64_t row = first_row + y + 16 * i;
#pragma unroll
        for (int j = 0; j < kRegisterSide; ++j) {
            const int64_t column = first_column + x + 16 * j;
            if (row < p.m && column < p.n)
                store(p.c + at.matrix * p.stride_c + row * p.ldc + column, sums[i][j], p.alpha, p.beta);
        }
    }
}

}  // namespace tiles
