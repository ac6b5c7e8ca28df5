// Transpose through shared memory: both the reads and the writes of global memory run along rows.
//
// A block moves 64 x 64 floats, 16 bytes per access, so that each row of a tile is 256 bytes of one row of the matrix.
// Rows of 65 floats in shared memory put a column into different banks (two lanes to a bank, which global memory
// hides).
#pragma once

#include <cstdint>

namespace tiles {

constexpr int kTransposeTile = 64, kTransposeThreads = 256;

// kWide: float4 accesses; every row of both matrices is aligned to 16 bytes and both sides are multiples of 4.
template <bool kWide>
__global__ void __launch_bounds__(kTransposeThreads)
    transpose_tiles(int64_t rows, int64_t columns, const float* in, int64_t ld_in, float* out, int64_t ld_out,
                    int64_t tiles_across) {
    __shared__ float tile[kTransposeTile][kTransposeTile + 1];
    constexpr int width = kWide ? 4 : 1, lanes = kTransposeTile / width, step = kTransposeThreads / lanes;
    const int64_t row = blockIdx.x / tiles_across * kTransposeTile, column = blockIdx.x % tiles_across * kTransposeTile;
    const int x = threadIdx.x % lanes * width, y = threadIdx.x / lanes;
#pragma unroll
    for (int i = y; i < kTransposeTile; i += step) {
        if (row + i >= rows || column + x >= columns) continue;
        const float* from = in + (row + i) * ld_in + column + x;
        if constexpr (kWide) {
            const float4 four = __ldcs(reinterpret_cast<const float4*>(from));
            tile[i][x] = four.x, tile[i][x + 1] = four.y, tile[i][x + 2] = four.z, tile[i][x + 3] = four.w;
        } else {
            tile[i][x] = *from;
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = y; i < kTransposeTile; i += step) {
        if (column + i >= columns || row + x >= rows) continue;
        float* to = out + (column + i) * ld_out + row + x;
        if constexpr (kWide) {
            __stcs(reinterpret_cast<float4*>(to),
                   make_float4(tile[x][i], tile[x + 1][i], tile[x + 2][i], tile[x + 3][i]));
        } else {
            *to = tile[x][i];
        }
    }
}

}  // namespace tiles
