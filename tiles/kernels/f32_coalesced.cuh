// Rung 2: the same thread per result, but consecutive threads along a row of C.
//
// The idea: the lanes of a warp now read neighbours in B and one element of A, which is broadcast, and write neighbours
// in C: four sectors an access where there were 32. Nothing else changed. Blocks of 32 x 8 threads, any shape.
#pragma once

#include "tiles/kernels/product.cuh"

namespace tiles {

constexpr int kCoalescedRows = 8, kCoalescedColumns = 32;

__global__ void f32_coalesced(const Product<float> p) {
    const MatrixTile at = matrix_tile(p);
    const int64_t row = static_cast<int64_t>(at.row) * kCoalescedRows + threadIdx.y;
    const int64_t column = static_cast<int64_t>(at.column) * kCoalescedColumns + threadIdx.x;
    if (row >= p.m || column >= p.n) return;
    const float* a = p.a + at.matrix * p.stride_a + row * p.a_by_row;
    const float* b = p.b + at.matrix * p.stride_b + column * p.b_by_column;
    float sum = 0;
    for (int64_t k = 0; k < p.k; ++k) sum += a[k * p.a_by_k] * b[k * p.b_by_k];
    store(p.c + at.matrix * p.stride_c + row * p.ldc + column, sum, p.alpha, p.beta);
}

}  // namespace tiles
