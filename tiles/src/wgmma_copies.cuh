// The launch of the wgmma rung that cp.async feeds. Not in the registry: it takes one layout, and what TMA feeds is
// faster.
#pragma once

#include "tiles/kernels/wgmma_copies.cuh"

namespace tiles::wgmma_copies {

// C = alpha A B + beta C, A as [m][k], B as [n][k]; see the kernel for what it needs.
template <class Element>
cudaError_t launch(Arguments<Element> g, cudaStream_t stream) {
    constexpr int kRaster = 8;
    g.tiles_m = static_cast<int>((g.m + Tile::kTileM - 1) / Tile::kTileM);
    g.tiles_n = static_cast<int>((g.n + Tile::kTileN - 1) / Tile::kTileN);
    g.raster = kRaster;
    const auto kernel = gemm<Element>;
    const cudaError_t set =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::kSharedBytes);
    if (set != cudaSuccess) return set;
    kernel<<<static_cast<unsigned>(g.tiles_m * g.tiles_n), Tile::kThreads, Tile::kSharedBytes, stream>>>(g);
    return cudaGetLastError();
}

}  // namespace tiles::wgmma_copies
