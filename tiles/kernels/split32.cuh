// fp32 factors made ready for the tensor cores: transposed, or split into two tf32 numbers, k contiguous, with an
// aligned pitch.
//
// One idea: what every tile would do again is done once, at the speed of the memory (tf32.cuh says what that is).
// Guarantees: reads only elements of the matrix; columns from `columns` to the pitch stay unwritten.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "tiles/kernels/tf32.cuh"

namespace tiles {

struct SplitArguments {
    const float* from;
    float* high;
    float* low;                                            // null: `high` is a copy, not rounded
    int64_t rows, columns;                                 // of the result
    int64_t from_pitch, from_stride, to_pitch, to_stride;  // elements; to_pitch a multiple of 4
    int64_t count;
};

constexpr int kSplitThreads = 256, kSplitTile = 64;

__device__ __forceinline__ void put_split(const SplitArguments& g, int64_t at, float x) {
    if (g.low == nullptr) {
        g.high[at] = x;
        return;
    }
    uint32_t high, low;
    split_to_tf32(x, high, low);
    g.high[at] = __uint_as_float(high), g.low[at] = __uint_as_float(low);
}

// kTranspose: the source has `columns` rows of `rows` elements. A block makes a tile of 64 x 64.
template <bool kTranspose>
__global__ void __launch_bounds__(kSplitThreads) split32(const SplitArguments g) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");  // the product's blocks may come as these leave
#endif
    __shared__ float tile[kTranspose ? kSplitTile : 1][kSplitTile + 1];
    const int64_t column0 = int64_t{1} * blockIdx.x * kSplitTile, row0 = int64_t{1} * blockIdx.y * kSplitTile;
    const int x = static_cast<int>(threadIdx.x) % kSplitTile, y = static_cast<int>(threadIdx.x) / kSplitTile;
    constexpr int kStep = kSplitThreads / kSplitTile;
    const float* from = g.from + blockIdx.z * g.from_stride;
    const int64_t base = blockIdx.z * g.to_stride;
    if (kTranspose) {
#pragma unroll 4
        for (int i = y; i < kSplitTile; i += kStep) {
            if (column0 + i < g.columns && row0 + x < g.rows)
                tile[i][x] = from[(column0 + i) * g.from_pitch + row0 + x];
        }
        __syncthreads();
    }
#pragma unroll 4
    for (int i = y; i < kSplitTile; i += kStep) {
        const int64_t row = row0 + i, column = column0 + x;
        if (row >= g.rows || column >= g.columns) continue;
        put_split(g, base + row * g.to_pitch + column, kTranspose ? tile[x][i] : from[row * g.from_pitch + column]);
    }
}

}  // namespace tiles
