// Convolution with small filters: a block brings its part of the image, with the halo, into shared memory, and each
// lane computes a patch of 4 x 8 results.
//
// A lane reads each row of its patch's neighbourhood once and adds it to all results that it touches: every
// multiplication is one that is wanted, and the filter is an operand of the FMA out of constant memory. Many small
// blocks in the order of memory overlap copies with arithmetic: while one waits for its part, the others of its SM
// multiply. Here the part comes float by float, whatever the alignment; kernels/convolve2d_boxes.cuh has the copy
// engine bring it.
#pragma once

#include <cstdint>

#include "tiles/kernels/convolve2d.cuh"
#include "tiles/kernels/copy_async.cuh"

namespace tiles {

constexpr int kPatchRows = 8, kPatchWarps = 4, kPatchThreads = 32 * kPatchWarps;
constexpr int kPatchWidth = 128, kPatchHeight = kPatchRows * kPatchWarps;  // results of a block
constexpr int kMaxPatchSide = 9;
constexpr int patch_blocks_per_sm(int side) { return side <= 7 ? 8 : 6; }

// A block's part of the image: `kRadius` rows more than results above and below, `kHalo` columns more on both sides.
template <int kRadius, int kHalo>
struct PatchTile {
    static constexpr int kPitch = kPatchWidth + 2 * kHalo, kHigh = kPatchHeight + 2 * kRadius;
    static constexpr int kFloats = kPitch * kHigh;
};

// The results of one warp, from a PatchTile. kWide: a lane owns four columns side by side, and every row of `out` is
// aligned to 16 bytes; otherwise it owns every 32nd, so that a warp's accesses are still 128 bytes.
template <int kSide, int kHalo, bool kWide>
__device__ inline void convolve_patch(const float* tile, int64_t rows, int64_t columns, int64_t row, int64_t column,
                                      float* __restrict__ out, int64_t ld_out, const Filter& filter) {
    constexpr int radius = kSide / 2, pitch = PatchTile<radius, kHalo>::kPitch, step = kWide ? 1 : 32;
    constexpr int beside = 4;  // floats that a lane reads on both sides of its own four
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = lane * (kWide ? 4 : 1);
    const int64_t to_row = row + warp * kPatchRows, to_column = column + first;
    const float* from = tile + warp * kPatchRows * pitch + kHalo + first;
    float* to = out + to_row * ld_out + to_column;
    float sums[kPatchRows][4];
#pragma unroll
    for (int y = 0; y < kPatchRows + 2 * radius; ++y, from += pitch) {
        float near[kWide ? 4 + 2 * beside : kSide];
        if constexpr (kWide) {
#pragma unroll
            for (int i = 0; i < 4 + 2 * beside; i += 4)
                *reinterpret_cast<float4*>(near + i) = *reinterpret_cast<const float4*>(from - beside + i);
        }
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            if constexpr (!kWide) {
#pragma unroll
                for (int x = 0; x < kSide; ++x) near[x] = from[c * step - radius + x];
            }
            const float* values = near + (kWide ? c + beside - radius : 0);
#pragma unroll
            for (int i = 0; i < kPatchRows; ++i) {
                if (y < i || y - i >= kSide) continue;
                float sum = y == i ? 0 : sums[i][c];
#pragma unroll
                for (int x = 0; x < kSide; ++x) sum = fmaf(filter.values[(y - i) * kSide + x], values[x], sum);
                sums[i][c] = sum;
            }
        }
        const int done = y - 2 * radius;
        if (done < 0 || to_row + done >= rows) continue;
        const float* result = sums[done < 0 ? 0 : done];
        if constexpr (kWide) {
            if (to_column < columns)
                __stcs(reinterpret_cast<float4*>(to + done * ld_out),
                       make_float4(result[0], result[1], result[2], result[3]));
        } else {
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                if (to_column + c * step < columns) __stcs(to + done * ld_out + c * step, result[c]);
            }
        }
    }
}

// Copies without a detour through registers where the card can; writes zero, and reads nothing, unless `valid`.
__device__ inline void copy_or_zero(float* to, const float* from, bool valid) {
#if __CUDA_ARCH__ >= 800
    copy_async_or_zero<4>(shared_address(to), from, valid);
#else
    *to = valid ? *from : 0;
#endif
}

template <int kSide>
__global__ void __launch_bounds__(kPatchThreads, patch_blocks_per_sm(kSide))
    convolve_patches(int64_t rows, int64_t columns, const float* __restrict__ in, int64_t ld_in,
                     float* __restrict__ out, int64_t ld_out, unsigned blocks_across, const Filter filter) {
    constexpr int radius = kSide / 2;
    using Tile = PatchTile<radius, radius>;
    constexpr int parts = (Tile::kPitch + 31) / 32, steps = (Tile::kHigh + kPatchWarps - 1) / kPatchWarps;
    __shared__ float tile[Tile::kFloats];
    const int64_t row = int64_t{blockIdx.x / blocks_across} * kPatchHeight;
    const int64_t column = int64_t{blockIdx.x % blocks_across} * kPatchWidth;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t from_column = column - radius + lane;
    bool inside[parts];
#pragma unroll
    for (int part = 0; part < parts; ++part)
        inside[part] = from_column + 32 * part >= 0 && from_column + 32 * part < columns;
    const float* from = in + (row - radius + warp) * ld_in + from_column;
    float* to = tile + warp * Tile::kPitch + lane;
#pragma unroll
    for (int step = 0; step < steps; ++step, from += kPatchWarps * ld_in, to += kPatchWarps * Tile::kPitch) {
        const int y = warp + step * kPatchWarps;
        const bool row_inside = row - radius + y >= 0 && row - radius + y < rows;
#pragma unroll
        for (int part = 0; part < parts; ++part) {
            if (y < Tile::kHigh && lane + 32 * part < Tile::kPitch)
                copy_or_zero(to + 32 * part, from + 32 * part, row_inside && inside[part]);
        }
    }
#if __CUDA_ARCH__ >= 800
    copies_commit();
    copies_wait<0>();
#endif
    __syncthreads();
    convolve_patch<kSide, radius, false>(tile, rows, columns, row, column, out, ld_out, filter);
}

}  // namespace tiles
