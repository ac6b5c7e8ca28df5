// Rung 4: any shape. The tile kernel with its boundaries checked.
//
// The idea: a thread whose element of a tile lies outside the matrix puts a zero there, which adds nothing; a thread
// whose result lies outside loads for the others and does not store. Nobody leaves early: all threads meet at the
// barriers.
#pragma once

#include "tiles/kernels/product.cuh"

namespace tiles {

constexpr int kCheckedTile = 32;

template <typename T>
__global__ void __launch_bounds__(kCheckedTile* kCheckedTile) checked_tile(const Product<T> p) {
    __shared__ T tile_a[kCheckedTile][kCheckedTile];
    __shared__ T tile_b[kCheckedTile][kCheckedTile];
    const MatrixTile at = matrix_tile(p);
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t row = static_cast<int64_t>(at.row) * kCheckedTile + y;
    const int64_t column = static_cast<int64_t>(at.column) * kCheckedTile + x;
    const T* a = p.a + at.matrix * p.stride_a;
    const T* b = p.b + at.matrix * p.stride_b;
    T sum = 0;
    for (int64_t first = 0; first < p.k; first += kCheckedTile) {
        tile_a[y][x] = row < p.m && first + x < p.k ? a[row * p.a_by_row + (first + x) * p.a_by_k] : 0;
        tile_b[y][x] = column < p.n && first + y < p.k ? b[(first + y) * p.b_by_k + column * p.b_by_column] : 0;
        __syncthreads();
        for (int k = 0; k < kCheckedTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    if (row < p.m && column < p.n) store(p.c + at.matrix * p.stride_c + row * p.ldc + column, sum, p.alpha, p.beta);
}

}  // namespace tiles
