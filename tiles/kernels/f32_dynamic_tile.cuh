// Rung 5: the tile's width at run time, in dynamic shared memory.
//
// The idea: how wide a tile may be depends on the device: its shared memory and its threads per block. The width is the
// block's, both tiles lie in one allocation whose size the launch gives. One kernel then serves all devices; the price
// is an inner loop that the compiler cannot unroll as it likes. Blocks of width x width threads, any shape.
#pragma once

#include "tiles/kernels/product.cuh"

namespace tiles {

__global__ void f32_dynamic_tile(const Product<float> p) {
    extern __shared__ float dynamic_tiles[];
    const int width = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    float* tile_a = dynamic_tiles;
    float* tile_b = dynamic_tiles + width * width;
    const MatrixTile at = matrix_tile(p);
    const int64_t row = static_cast<int64_t>(at.row) * width + y;
    const int64_t column = static_cast<int64_t>(at.column) * width + x;
    const float* a = p.a + at.matrix * p.stride_a;
    const float* b = p.b + at.matrix * p.stride_b;
    float sum = 0;
    for (int64_t first = 0; first < p.k; first += width) {
        tile_a[y * width + x] = row < p.m && first + x < p.k ? a[row * p.a_by_row + (first + x) * p.a_by_k] : 0;
        tile_b[y * width + x] =
            column < p.n && first + y < p.k ? b[(first + y) * p.b_by_k + column * p.b_by_column] : 0;
        __syncthreads();
        for (int k = 0; k < width; ++k) sum += tile_a[y * width + k] * tile_b[k * width + x];
        __syncthreads();
    }
    if (row < p.m && column < p.n) store(p.c + at.matrix * p.stride_c + row * p.ldc + column, sum, p.alpha, p.beta);
}

}  // namespace tiles
