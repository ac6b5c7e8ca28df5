// The seven-point stencil at the speed of memory: blocks march a few planes along z over sheets of 128 x 8, four floats
// a lane.
//
// A lane keeps its part of the planes below and at the current one in registers and reads the one above. East and west
// come from the lanes beside it, north and south from registers and, between warps, through shared memory. What lies
// past the sheet's edge is read one plane ahead. Many small blocks in the order of memory, each with little on its way,
// keep reads and writes close together, which the memory rewards more than planes that are read only once: those that
// two blocks want come from the L2 the second time, as long as it holds a block's planes.
#pragma once

#include <cstdint>

namespace tiles {

constexpr int kSheetWarps = 4, kSheetRows = 2, kSheetX = 128, kSheetY = kSheetWarps * kSheetRows;
constexpr int kSheetBlocksPerSm = 8;

// Planes of a block: few where the L2 holds them, more where it does not.
constexpr int kShallowSheet = 4, kDeepSheet = 32;

// Four results; `west` and `east` are beside the four.
__device__ inline float4 seven_points(float centre, float neighbour, const float4& here, float west, float east,
                                      const float4& below, const float4& above, const float4& south,
                                      const float4& north) {
    const auto point = [&](float c, float w, float e, float b, float a, float s, float n) {
        return centre * c + neighbour * (((b + a) + (w + e)) + (s + n));
    };
    return {point(here.x, west, here.y, below.x, above.x, south.x, north.x),
            point(here.y, here.x, here.z, below.y, above.y, south.y, north.y),
            point(here.z, here.y, here.w, below.z, above.z, south.z, north.z),
            point(here.w, here.z, east, below.w, above.w, south.w, north.w)};
}

// nx is a multiple of 4, both volumes are aligned to 16 bytes. A block: one sheet, `depth` planes.
__global__ void __launch_bounds__(32 * kSheetWarps, kSheetBlocksPerSm)
    stencil_sheets(int64_t nx, int64_t ny, int64_t nz, float centre, float neighbour, const float* __restrict__ in,
                   float* __restrict__ out, unsigned sheets_x, unsigned sheets_y, int depth) {
    __shared__ float4 lowest[2][kSheetWarps + 1][32], highest[2][kSheetWarps + 1][32];  // rows of each warp
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned row_of_sheets = blockIdx.x / sheets_x, part = row_of_sheets / sheets_y;
    const int64_t x = (static_cast<int64_t>(blockIdx.x % sheets_x) * 32 + lane) * 4;
    const int64_t y = static_cast<int64_t>(row_of_sheets % sheets_y) * kSheetY + warp * kSheetRows;
    const int64_t first = static_cast<int64_t>(part) * depth;
    // Planes from here on count from the block's first; those before `end` exist.
    const int last = nz - first < depth ? static_cast<int>(nz - first) : depth;
    const int end = nz - first > last ? last + 1 : last;
    const int64_t slice = nx * ny, corner = first * slice + y * nx + x;
    const float* plane = in + corner;  // the current one
    float* to = out + corner;
    const auto inside = [&](int row) { return x < nx && y + row < ny; };
    const auto four = [&](int row, int ahead, bool exists) {
        if (!exists || !inside(row)) return make_float4(0, 0, 0, 0);
        return __ldg(reinterpret_cast<const float4*>(plane + ahead * slice + row * nx));
    };
    // Past the sheet's edge: for the first and last lane west or east, for the first and last warp south or north.
    const int beside = lane == 0 ? -1 : 4;
    const bool at_side = lane == 0 ? x > 0 : lane == 31 && x + 4 < nx;
    const auto side = [&](int row, int ahead, bool exists) {
        return exists && at_side && inside(row) ? __ldg(plane + ahead * slice + row * nx + beside) : 0;
    };
    const int past = warp == 0 ? -1 : kSheetRows;
    const bool at_end = warp == 0 ? y > 0 : warp == kSheetWarps - 1;
    float4 below[kSheetRows], here[kSheetRows], above[kSheetRows];
    float sides[kSheetRows], next_sides[kSheetRows];
#pragma unroll
    for (int row = 0; row < kSheetRows; ++row)
        below[row] = four(row, -1, first > 0), here[row] = four(row, 0, true), sides[row] = side(row, 0, true);
    float4 row_past = four(past, 0, at_end);  // last: its branch would hold the others up
#pragma unroll 2
    for (int z = 0; z < last; ++z) {
        const int now = z % 2;
#pragma unroll
        for (int row = 0; row < kSheetRows; ++row)
            above[row] = four(row, 1, z + 1 < end), next_sides[row] = side(row, 1, z + 1 < last);
        const float4 next_past = four(past, 1, at_end && z + 1 < last);
        lowest[now][warp][lane] = here[0], highest[now][warp + 1][lane] = here[kSheetRows - 1];
        __syncthreads();
        const float4 south_end = warp == 0 ? row_past : highest[now][warp][lane];
        const float4 north_end = warp == kSheetWarps - 1 ? row_past : lowest[now][warp + 1][lane];
#pragma unroll
        for (int row = 0; row < kSheetRows; ++row) {
            const float4 h = here[row], south = row > 0 ? here[row > 0 ? row - 1 : 0] : south_end,
                         north = row + 1 < kSheetRows ? here[row + 1 < kSheetRows ? row + 1 : row] : north_end;
            const float before = __shfl_up_sync(0xffffffffu, h.w, 1), after = __shfl_down_sync(0xffffffffu, h.x, 1);
            const float west = lane == 0 ? sides[row] : before, east = lane == 31 ? sides[row] : after;
            const float4 result = seven_points(centre, neighbour, h, west, east, below[row], above[row], south, north);
            if (inside(row)) *reinterpret_cast<float4*>(to + row * nx) = result;
        }
#pragma unroll
        for (int row = 0; row < kSheetRows; ++row)
            below[row] = here[row], here[row] = above[row], sides[row] = next_sides[row];
        row_past = next_past;
        plane += slice, to += slice;
    }
}

}  // namespace tiles
