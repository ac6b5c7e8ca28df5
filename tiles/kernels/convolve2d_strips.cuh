// Convolution at the speed of memory for filters up to 9 x 9: warps walk down strips of the image, without shared
// memory.
//
// A lane owns four columns. It reads its four floats of a row and the four on either side (which the first-level cache
// has: the neighbours have just asked for them), and adds them to the sums of all rows that they touch. The oldest sum
// is then complete; each sum moves up by one place in the first FMA of the next row, which costs nothing. The filter is
// an operand of the FMA out of constant memory. Two to four rows are always on their way.
#pragma once

#include <cstdint>

#include "tiles/kernels/convolve2d.cuh"

namespace tiles {

constexpr int kStripWarps = 4, kStripLane = 4, kStripWidth = 32 * kStripLane;
constexpr int kMostStripSide = 9;

// Small filters are bound by memory and walk a short way; larger ones would multiply too much above and below it.
constexpr int kShortStrip = 16, kMostShortSide = 5;
constexpr int strip_blocks_per_sm(int side) { return side <= kMostShortSide ? 6 : 5; }

// What a lane has of one row.
struct StripRow {
    float values[12];
};

__device__ inline void load_four(float* to, const float* from, bool inside) {
    const float4 four = inside ? __ldg(reinterpret_cast<const float4*>(from)) : make_float4(0, 0, 0, 0);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

// Every row of both images is aligned to 16 bytes; columns is a multiple of 4. A block: kStripWarps strips side by
// side, `depth` rows of them.
template <int kSide>
__global__ void __launch_bounds__(32 * kStripWarps, strip_blocks_per_sm(kSide))
    convolve_strips(int64_t rows, int64_t columns, const float* __restrict__ in, int64_t ld_in, float* __restrict__ out,
                    int64_t ld_out, int blocks_across, int depth, const Filter filter) {
    constexpr int radius = kSide / 2, ahead = kSide <= kMostShortSide ? 4 : kSide < 9 ? 3 : 2;
    const int64_t column =
        (static_cast<int64_t>(blockIdx.x % blocks_across) * kStripWarps * 32 + threadIdx.x) * kStripLane;
    const int64_t first = static_cast<int64_t>(blockIdx.x / blocks_across) * depth;
    // Rows from here on count from the block's first; those from `begin` to `end` are read.
    const int last = rows - first < depth ? static_cast<int>(rows - first) : depth;
    const int begin = first < radius ? -static_cast<int>(first) : -radius;
    const int end = rows - first < last + radius ? static_cast<int>(rows - first) : last + radius;
    const bool here = column < columns, left = here && column > 0, right = column + kStripLane < columns;
    const float* from = in + (first - radius) * ld_in + column;
    float* to = out + (first - 2 * radius) * ld_out + column;
    const auto load = [&](StripRow& row, const float* at, int y) {
        const bool inside = y >= begin && y < end;
        load_four(row.values, at - 4, inside && left);
        load_four(row.values + 4, at, inside && here);
        load_four(row.values + 8, at + 4, inside && right);
    };
    StripRow ring[ahead];
#pragma unroll
    for (int i = 0; i < ahead; ++i) load(ring[i], from + i * ld_in, i - radius);
    from += ahead * ld_in;
    float sums[kSide][kStripLane] = {};  // of the output rows y - radius .. y + radius
    for (int next = -radius; next < last + radius; next += ahead) {
#pragma unroll
        for (int step = 0; step < ahead; ++step) {
            const int y = next + step;
            const float* values = ring[step].values + 4 - radius;
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
#pragma unroll
                for (int c = 0; c < kStripLane; ++c) {
                    float sum = i + 1 < kSide ? sums[i + 1 < kSide ? i + 1 : i][c] : 0;
#pragma unroll
                    for (int x = 0; x < kSide; ++x)
                        sum = fmaf(filter.values[(kSide - 1 - i) * kSide + x], values[c + x], sum);
                    sums[i][c] = sum;
                }
            }
            load(ring[step], from, y + ahead);
            from += ld_in;
            if (here && y >= radius && y < last + radius)
                __stcs(reinterpret_cast<float4*>(to), make_float4(sums[0][0], sums[0][1], sums[0][2], sums[0][3]));
            to += ld_out;
        }
    }
}

}  // namespace tiles
