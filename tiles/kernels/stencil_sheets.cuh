// The seven-point stencil at the speed of memory: blocks march along z over sheets of 128 x 16, four floats a lane.
//
// A lane keeps its part of the planes below, at and above the current one in registers, and the plane after those is on
// its way. East and west come from the lanes beside it, north and south from registers and, between warps, through
// shared memory. What lies past the sheet's edge is read one plane ahead as well.
#pragma once

#include <cstdint>

namespace tiles {

constexpr int kSheetWarps = 8, kSheetRows = 2, kSheetX = 128, kSheetY = kSheetWarps * kSheetRows;
constexpr int kSheetBlocksPerSm = 3;

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
                   float* __restrict__ out, int blocks_x, int blocks_y, int depth) {
    __shared__ float4 lowest[2][kSheetWarps + 1][32], highest[2][kSheetWarps + 1][32];  // rows of each warp
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t x = (static_cast<int64_t>(blockIdx.x % blocks_x) * 32 + lane) * 4;
    const int64_t y = static_cast<int64_t>(blockIdx.x / blocks_x % blocks_y) * kSheetY + warp * kSheetRows;
    const int64_t first = static_cast<int64_t>(blockIdx.x / blocks_x / blocks_y) * depth;
    // Planes from here on count from the block's first; those from `begin` to `end` exist.
    const int last = nz - first < depth ? static_cast<int>(nz - first) : depth;
    const int begin = first > 0 ? -1 : 0, end = nz - first > last ? last + 1 : last;
    const int64_t slice = nx * ny, corner = first * slice + y * nx + x;
    const auto inside = [&](int row) { return x < nx && y + row < ny; };
    const float* plane = in + corner;  // the current one
    float* to = out + corner;
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
    float4 planes[4][kSheetRows], ends[2];
    float sides[2][kSheetRows];
#pragma unroll
    for (int row = 0; row < kSheetRows; ++row) {
        for (int i = 0; i < 3; ++i) planes[i][row] = four(row, i - 1, i - 1 >= begin && i - 1 < end);
        sides[0][row] = side(row, 0, true);
    }
    ends[0] = four(past, 0, at_end);
    for (int next = 0; next < last; next += 4) {
#pragma unroll
        for (int step = 0; step < 4; ++step) {
            const int z = next + step;
            const float4 *below = planes[step], *here = planes[(step + 1) % 4], *above = planes[(step + 2) % 4];
            const int now = step % 2, then = 1 - now;
#pragma unroll
            for (int row = 0; row < kSheetRows; ++row) {
                planes[(step + 3) % 4][row] = four(row, 2, z + 2 < end);
                sides[then][row] = side(row, 1, z + 1 < last);
            }
            ends[then] = four(past, 1, at_end && z + 1 < last);
            lowest[now][warp][lane] = here[0], highest[now][warp + 1][lane] = here[kSheetRows - 1];
            __syncthreads();
            const float4 south_end = warp == 0 ? ends[now] : highest[now][warp][lane];
            const float4 north_end = warp == kSheetWarps - 1 ? ends[now] : lowest[now][warp + 1][lane];
#pragma unroll
            for (int row = 0; row < kSheetRows; ++row) {
                const float4 h = here[row], south = row > 0 ? here[row > 0 ? row - 1 : 0] : south_end,
                             north = row + 1 < kSheetRows ? here[row + 1 < kSheetRows ? row + 1 : row] : north_end;
                const float before = __shfl_up_sync(0xffffffffu, h.w, 1), after = __shfl_down_sync(0xffffffffu, h.x, 1);
                const float west = lane == 0 ? sides[now][row] : before, east = lane == 31 ? sides[now][row] : after;
                const float4 result =
                    seven_points(centre, neighbour, h, west, east, below[row], above[row], south, north);
                if (z < last && inside(row)) __stcs(reinterpret_cast<float4*>(to + row * nx), result);
            }
            plane += slice, to += slice;
        }
    }
}

}  // namespace tiles
