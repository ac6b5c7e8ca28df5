// Rung 1: a thread per result, and consecutive threads down a column of C. Right, and as slow as it gets.
//
// What to see: the lanes of a warp read A and write C a whole row apart, so that each access of a warp touches 32
// sectors for 32 floats. Blocks of 32 x 8 threads, any shape.
#pragma once

#include "tiles/kernels/product.cuh"

namespace tiles {

constexpr int kNaiveRows = 32, kNaiveColumns = 8;

__global__ void f32_naive(const Product<float> p) {
    const MatrixTile at = matrix_tile(p);
    const int64_t row = static_cast<int64_t>(at.row) * kNaiveRows + threadIdx.x;
    const int64_t column = static_cast<int64_t>(at.column) * kNaiveColumns + threadIdx.y;
    if (row >= p.m || column >= p.n) return;
    const float* a = p.a + at.matrix * p.stride_a + row * p.a_by_row;
    const float* b = p.b + at.matrix * p.stride_b + column * p.b_by_column;
    float sum = 0;
    for (int64_t k = 0; k < p.k; ++k) sum += a[k * p.a_by_k] * b[k * p.b_by_k];
    store(p.c + at.matrix * p.stride_c + row * p.ldc + column, sum, p.alpha, p.beta);
}

}  // namespace tiles
