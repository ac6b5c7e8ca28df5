// Convolution at the speed of memory: kernels/convolve2d_patches.cuh with the block's part of the image brought by the
// copy engine, in one box, zeros outside the image included. No lane computes an address or looks at an edge.
//
// The box begins 8 floats, a whole sector, beside the block's columns. Needs compute capability 9.0 (sm_90a) and rows
// aligned to 16 bytes.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "tiles/kernels/convolve2d_patches.cuh"
#include "tiles/kernels/hopper_ptx.cuh"

namespace tiles {

constexpr int kBoxHalo = 8;

template <int kSide>
using ConvolveBox = PatchTile<kSide / 2, kBoxHalo>;

template <int kSide>
__global__ void __launch_bounds__(kPatchThreads, patch_blocks_per_sm(kSide))
    convolve_boxes(const __grid_constant__ CUtensorMap in, int64_t rows, int64_t columns, float* __restrict__ out,
                   int64_t ld_out, unsigned blocks_across, const Filter filter) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using Box = ConvolveBox<kSide>;
    __shared__ __align__(128) float tile[Box::kFloats];
    __shared__ uint64_t filled;
    const int64_t row = int64_t{blockIdx.x / blocks_across} * kPatchHeight;
    const int64_t column = int64_t{blockIdx.x % blocks_across} * kPatchWidth;
    const uint32_t barrier = hopper::shared_address(&filled);
    if (threadIdx.x == 0) {
        hopper::barrier_init(barrier, 1);
        hopper::barrier_init_fence();
        hopper::barrier_expect(barrier, Box::kFloats * sizeof(float));
        hopper::copy_in(hopper::shared_address(tile), &in, barrier, static_cast<int>(column) - kBoxHalo,
                        static_cast<int>(row) - kSide / 2, 0);
    }
    __syncthreads();
    hopper::barrier_wait(barrier, 0);
    convolve_patch<kSide, kBoxHalo, true>(tile, rows, columns, row, column, out, ld_out, filter);
#endif
}

}  // namespace tiles
