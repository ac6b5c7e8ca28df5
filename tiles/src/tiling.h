// From the figures of an fp32 tile (tiles/tuning/figures.h) to the type that its kernels are built from.
#pragma once

#include "tiles/kernels/f32_lane.cuh"
#include "tiles/tuning/figures.h"

namespace tiles {

template <const F32Tiling& kTiling>
using TileOf = F32Tile<kTiling.warps_m, kTiling.warps_n, kTiling.groups_m, kTiling.groups_n, kTiling.depth,
                       kTiling.stages, kTiling.blocks_per_sm>;

}  // namespace tiles
