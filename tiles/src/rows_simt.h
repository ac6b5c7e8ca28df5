// The rows of fp32 FMA and fp64 kernels, each defined beside its launch.
#pragma once

#include "tiles/src/kernel.h"

namespace tiles {

// The ladder, one idea each: f32_ladder.cu.
extern const Kernel kF32Naive, kF32Coalesced, kF32SharedTile, kF32Checked, kF32DynamicTile, kF32Coarsened,
    kF32RegisterTile, kF32Vectorised;

// The pipeline, one tile each: f32_pipeline_*.cu.
extern const Kernel kF32Pipeline128x256, kF32Pipeline256x128, kF32Pipeline128x128, kF32Pipeline256x64,
    kF32Pipeline64x256, kF32Pipeline64x128, kF32Pipeline64x64;

// k sliced within the block: f32_sliced_*.cu.
extern const Kernel kF32Sliced64x128, kF32Sliced128x64, kF32Sliced128x128;

extern const Kernel kF32Tma128x256;  // f32_tma.cu
extern const Kernel kF32DotRows, kF32TensorDotRows;
extern const Kernel kF64Checked, kF64TensorCores;

}  // namespace tiles
