// Transpose through shared memory: both the reads and the writes of global memory run along rows.
//
// A block moves 64 x 64 floats, so that each row of a tile is 256 bytes of one row of the matrix. Consecutive blocks go
// down the columns of tiles: what is written at one time lies together then, which is worth more than reads that do.
// Writes stream past the L2, whose lines would push out what is still to be read. Rows of 65 floats in shared memory
// put a column into different banks (two lanes to a bank, which global memory hides).
#pragma once

#include <cstdint>

namespace tiles {

constexpr int kTransposeTile = 64, kTransposeThreads = 512, kSkewedThreads = 256;
constexpr int kSector = 8;  // floats that the memory writes at once

// Accesses of 16 bytes: every row of both matrices is aligned to them and both sides are multiples of 4.
__global__ void __launch_bounds__(kTransposeThreads)
    transpose_tiles(int64_t rows, int64_t columns, const float* __restrict__ in, int64_t ld_in, float* __restrict__ out,
                    int64_t ld_out, unsigned tiles_down) {
    __shared__ float tile[kTransposeTile][kTransposeTile + 1];
    constexpr int lanes = kTransposeTile / 4, step = kTransposeThreads / lanes, accesses = kTransposeTile / step;
    const int64_t row = int64_t{blockIdx.x % tiles_down} * kTransposeTile;
    const int64_t column = int64_t{blockIdx.x / tiles_down} * kTransposeTile;
    const int x = threadIdx.x % lanes * 4, y = threadIdx.x / lanes;
    float4 loaded[accesses];
#pragma unroll
    for (int i = 0; i < accesses; ++i) {
        const int64_t from = row + y + i * step;
        if (from < rows && column + x < columns)
            loaded[i] = __ldg(reinterpret_cast<const float4*>(in + from * ld_in + column + x));
    }
#pragma unroll
    for (int i = 0; i < accesses; ++i) {
        float* to = &tile[y + i * step][x];
        to[0] = loaded[i].x, to[1] = loaded[i].y, to[2] = loaded[i].z, to[3] = loaded[i].w;
    }
    __syncthreads();
#pragma unroll
    for (int i = y; i < kTransposeTile; i += step) {
        if (column + i >= columns || row + x >= rows) continue;
        __stcs(reinterpret_cast<float4*>(out + (column + i) * ld_out + row + x),
               make_float4(tile[x][i], tile[x + 1][i], tile[x + 2][i], tile[x + 3][i]));
    }
}

// For every alignment and leading dimension: reads float by float, and what a tile writes begins in each row of `out`
// at a sector, so that neighbouring tiles never write parts of the same one. A tile reads up to 7 rows above its own
// for that; `tiles_down` tiles cover rows + 7.
__global__ void __launch_bounds__(kSkewedThreads)
    transpose_skewed(int64_t rows, int64_t columns, const float* __restrict__ in, int64_t ld_in,
                     float* __restrict__ out, int64_t ld_out, unsigned tiles_down) {
    constexpr int above = kSector - 1, high = kTransposeTile + above;
    __shared__ float tile[high][kTransposeTile + 1];
    const int64_t row = int64_t{blockIdx.x % tiles_down} * kTransposeTile;
    const int64_t column = int64_t{blockIdx.x / tiles_down} * kTransposeTile;
    constexpr int at_once = kSkewedThreads / kTransposeTile;  // rows
    const int from_x = threadIdx.x % kTransposeTile, from_y = threadIdx.x / kTransposeTile;
    const bool here = column + from_x < columns;
#pragma unroll
    for (int i = 0; i < (high + at_once - 1) / at_once; ++i) {
        const int to_y = from_y + i * at_once;
        const int64_t from = row - above + to_y;
        if (to_y < high && from >= 0 && from < rows && here)
            tile[to_y][from_x] = __ldg(in + from * ld_in + column + from_x);
    }
    __syncthreads();
    constexpr int lanes = kTransposeTile / 4, step = kSkewedThreads / lanes;
    const int x = threadIdx.x % lanes * 4, y = threadIdx.x / lanes;
#pragma unroll
    for (int i = y; i < kTransposeTile; i += step) {
        if (column + i >= columns) continue;
        float* to = out + (column + i) * ld_out + row + x;
        const int skew = static_cast<int>((reinterpret_cast<uintptr_t>(to - x) / sizeof(float)) % kSector);
        const int64_t first = row + x - skew;
        const float* four = &tile[x + above - skew][i];
        const auto value = [&](int q) { return four[q * (kTransposeTile + 1)]; };
        to -= skew;
        if (first >= 0 && first + 4 <= rows) {
            __stcs(reinterpret_cast<float4*>(to), make_float4(value(0), value(1), value(2), value(3)));
        } else {
            for (int q = 0; q < 4; ++q) {
                if (first + q >= 0 && first + q < rows) __stcs(to + q, value(q));
            }
        }
    }
}

}  // namespace tiles
