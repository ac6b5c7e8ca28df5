// Products of bf16 and f16 matrices on FMA units: for cards whose tensor cores do not take them, and for what the
// faster kernels refuse.
//
// The idea: the checked tile of f32_checked.cuh, whose tiles are widened to fp32 on their way into shared memory. Sums
// are fp32. Any shape, any alignment.
#pragma once

#include "tiles/kernels/f32_checked.cuh"
#include "tiles/kernels/widen.cuh"

namespace tiles {

// `p` says where A and B lie; C, alpha and beta are apart, since they have other types.
template <typename In, typename Out>
__global__ void __launch_bounds__(kCheckedTile* kCheckedTile)
    checked_tile16(const Product<In> p, Out* c, float alpha, float beta) {
    __shared__ float tile_a[kCheckedTile][kCheckedTile];
    __shared__ float tile_b[kCheckedTile][kCheckedTile];
    const MatrixTile at = matrix_tile(p);
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t row = static_cast<int64_t>(at.row) * kCheckedTile + y;
    const int64_t column = static_cast<int64_t>(at.column) * kCheckedTile + x;
    const In* a = p.a + at.matrix * p.stride_a;
    const In* b = p.b + at.matrix * p.stride_b;
    float sum = 0;
    for (int64_t first = 0; first < p.k; first += kCheckedTile) {
        const bool inside_a = row < p.m && first + x < p.k, inside_b = column < p.n && first + y < p.k;
        tile_a[y][x] = inside_a ? widened(a[row * p.a_by_row + (first + x) * p.a_by_k]) : 0;
        tile_b[y][x] = inside_b ? widened(b[(first + y) * p.b_by_k + column * p.b_by_column]) : 0;
        __syncthreads();
        for (int k = 0; k < kCheckedTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    if (row >= p.m || column >= p.n) return;
    Out* place = c + at.matrix * p.stride_c + row * p.ldc + column;
    narrow(beta == 0 ? alpha * sum : alpha * sum + beta * widened(*place), place);
}

}  // namespace tiles
