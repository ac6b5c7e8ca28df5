// Convolution with large filters: the filter in constant memory and the image's tile, with its halo, in shared memory.
//
// All lanes of a warp want the same filter element at the same time, which is what constant memory broadcasts. A thread
// owns eight results below each other: it reads each row of its column's neighbourhood once and adds it to all results
// that it touches, so that an image element costs side * (8 + side - 1) / 8 reads of shared memory instead of side *
// side.
#pragma once

#include <cstdint>

#include "tiles/convolve2d.h"

namespace tiles {

// In row order; small filters fill the beginning.
struct Filter {
    float values[kMaxFilterSide * kMaxFilterSide];
};

constexpr int kConvolveWidth = 64, kConvolveRows = 8, kConvolveGroups = 4;  // a block: 64 columns, 4 groups of 8 rows

// kSide: the filter's side.
template <int kSide>
__global__ void __launch_bounds__(kConvolveWidth* kConvolveGroups)
    convolve_tiles(int64_t rows, int64_t columns, const float* __restrict__ in, int64_t ld_in, float* __restrict__ out,
                   int64_t ld_out, unsigned tiles_across, const Filter filter) {
    constexpr int radius = kSide / 2, height = kConvolveRows * kConvolveGroups;
    __shared__ float tile[height + kSide - 1][kConvolveWidth + kSide - 1];
    const int64_t row = int64_t{blockIdx.x / tiles_across} * height;
    const int64_t column = int64_t{blockIdx.x % tiles_across} * kConvolveWidth;
    constexpr int wide = kConvolveWidth + kSide - 1, elements = (height + kSide - 1) * wide;
    constexpr int threads = kConvolveWidth * kConvolveGroups;
    const int thread = threadIdx.y * kConvolveWidth + threadIdx.x;
    const float* corner = in + (row - radius) * ld_in + column - radius;
    const bool inner = row >= radius && column >= radius && row + height + radius <= rows &&
                       column + kConvolveWidth + radius <= columns;
#pragma unroll
    for (int i = 0; i < (elements + threads - 1) / threads; ++i) {
        const int element = thread + i * threads, y = element / wide, x = element % wide;
        const int64_t from_row = row + y - radius, from_column = column + x - radius;
        const bool inside = inner || (from_row >= 0 && from_row < rows && from_column >= 0 && from_column < columns);
        if (element < elements) tile[y][x] = inside ? corner[y * ld_in + x] : 0;
    }
    __syncthreads();
    float sums[kConvolveRows] = {};
    const int first = threadIdx.y * kConvolveRows;
#pragma unroll
    for (int y = 0; y < kConvolveRows + kSide - 1; ++y) {
#pragma unroll
        for (int x = 0; x < kSide; ++x) {
            const float value = tile[first + y][threadIdx.x + x];
#pragma unroll
            for (int i = 0; i < kConvolveRows; ++i) {
                if (y - i >= 0 && y - i < kSide) sums[i] = fmaf(filter.values[(y - i) * kSide + x], value, sums[i]);
            }
        }
    }
    const int64_t to_column = column + threadIdx.x;
#pragma unroll
    for (int i = 0; i < kConvolveRows; ++i) {
        if (row + first + i < rows && to_column < columns) out[(row + first + i) * ld_out + to_column] = sums[i];
    }
}

}  // namespace tiles
