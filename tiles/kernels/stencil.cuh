// The seven-point stencil, marching along z.
//
// A thread walks up a column of the volume and keeps the element below, at, and above itself in registers: of the seven
// points only one comes from memory anew; the four beside it are the first-level cache's, which the block's neighbours
// have just filled. So each element is read from global memory about once and written once.
#pragma once

#include <cstdint>

namespace tiles {

constexpr int kStencilX = 64, kStencilY = 8, kStencilZ = 32;

__global__ void __launch_bounds__(kStencilX* kStencilY)
    stencil_march(int64_t nx, int64_t ny, int64_t nz, float centre, float neighbour, const float* in, float* out,
                  int64_t blocks_x, int64_t blocks_y) {
    const int64_t block = blockIdx.x, x = block % blocks_x * kStencilX + threadIdx.x;
    const int64_t y = block / blocks_x % blocks_y * kStencilY + threadIdx.y,
                  z0 = block / (blocks_x * blocks_y) * kStencilZ;
    if (x >= nx || y >= ny) return;
    const int64_t slice = nx * ny, last = z0 + kStencilZ < nz ? z0 + kStencilZ : nz;
    int64_t at = z0 * slice + y * nx + x;
    float below = z0 > 0 ? in[at - slice] : 0, here = in[at];
    for (int64_t z = z0; z < last; ++z, at += slice) {
        const float above = z + 1 < nz ? in[at + slice] : 0;
        const float west = x > 0 ? in[at - 1] : 0, east = x + 1 < nx ? in[at + 1] : 0;
        const float south = y > 0 ? in[at - nx] : 0, north = y + 1 < ny ? in[at + nx] : 0;
        out[at] = centre * here + neighbour * (((below + above) + (west + east)) + (south + north));
        below = here, here = above;
    }
}

}  // namespace tiles
