// fp32 factors made ready for the tensor cores: rounded to tf32, or split into two tf32 numbers, k contiguous, with an
// aligned pitch.
//
// One idea: what every tile would do again is done once, at the speed of the memory. x = high + low: high is x rounded
// to tf32's 11 bits, low the rest rounded likewise, so that 22 bits survive and the sign of low the 23rd. Guarantees:
// reads only elements of the matrix; columns from `columns` to the pitch stay unwritten.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace tiles {

struct SplitArguments {
    const float* from;
    float* high;
    float* low;                                            // null: only rounded
    int64_t rows, columns;                                 // of the result
    int64_t from_pitch, from_stride, to_pitch, to_stride;  // elements; to_pitch a multiple of 4
    int64_t count;
};

constexpr int kSplitThreads = 256, kSplitTile = 64;

__device__ __forceinline__ float round_to_tf32(float x) {
    // Half of the last kept bit is added and the rest cut off. What that would make infinite is only cut off;
    // infinities and NaNs stay.
    const uint32_t bits = __float_as_uint(x), rounded = bits + 0x1000u, exponent = 0x7f800000u;
    if ((bits & exponent) == exponent) return x;
    return __uint_as_float(((rounded & exponent) == exponent ? bits : rounded) & 0xffffe000u);
}

__device__ __forceinline__ void put_split(const SplitArguments& g, int64_t at, float x) {
    const float high = round_to_tf32(x);
    g.high[at] = high;
    if (g.low != nullptr) g.low[at] = isfinite(x) ? round_to_tf32(x - high) : 0.f;
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
