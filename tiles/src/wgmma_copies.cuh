// How the wgmma rung that cp.async feeds is started. The registry's rows are in wgmma_copies.cu.
#pragma once

#include "tiles/kernels/wgmma_copies.cuh"

namespace tiles::wgmma_copies {

constexpr int kRaster = 8;

template <class Kernel>
cudaError_t allow_shared(Kernel kernel) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::kSharedBytes);
}

// One of the forms of gemm<>, which may use its shared memory; `g` but for the tiles, of which there must be less than
// 2^31.
template <class Element, class Out>
cudaError_t start(void (*kernel)(Arguments<Element, Out>), Arguments<Element, Out> g, int64_t batch,
                  cudaStream_t stream) {
    g.tiles_m = static_cast<int>((g.m + Tile::kTileM - 1) / Tile::kTileM);
    g.tiles_n = static_cast<int>((g.n + Tile::kTileN - 1) / Tile::kTileN);
    if (g.raster == 0) g.raster = kRaster;
    const dim3 grid(static_cast<unsigned>(g.tiles_m * g.tiles_n), 1, static_cast<unsigned>(batch));
    kernel<<<grid, Tile::kThreads, Tile::kSharedBytes, stream>>>(g);
    return cudaGetLastError();
}

}  // namespace tiles::wgmma_copies
