// The family of f32_sliced kernels for one tile of tuning/sm80.h. Owns: the table of its instances. Include it from one
// .cu per tile.
#pragma once

#include "tiles/kernels/f32_sliced.cuh"
#include "tiles/src/stream_k_launch.h"
#include "tiles/src/tiling.h"

namespace tiles {

template <const F32Tiling& kTiling>
struct F32SlicedFamily {
    using Tile = F32SlicedTile<TileOf<kTiling>, kTiling.slices>;
    using Element = float;
    static constexpr Compute kCompute = Compute::kF32;
    static constexpr int kWays = 3;       // of copying an operand: StreamKLaunch::way_of_copying
    static constexpr bool kWaits = true;  // for earlier kernels: StreamKLaunch::launch
    static constexpr int kThreads = Tile::kThreads, kSharedBytes = Tile::kSharedBytes, kMinCapability = 80;
    static constexpr float kEfficiency = kTiling.efficiency, kFixedUs = kTiling.fixed_us;

    static bool runs_on(const DeviceProperties&) { return true; }

    static auto function(int copy_a, int copy_b) {
        static constexpr void (*kAll[3][3])(Product<float>, StreamK) = {
            {preloaded<f32_sliced<Tile, 1, true, 1, true>>(), preloaded<f32_sliced<Tile, 1, true, 1, false>>(),
             preloaded<f32_sliced<Tile, 1, true, 4, false>>()},
            {preloaded<f32_sliced<Tile, 1, false, 1, true>>(), preloaded<f32_sliced<Tile, 1, false, 1, false>>(),
             preloaded<f32_sliced<Tile, 1, false, 4, false>>()},
            {preloaded<f32_sliced<Tile, 4, false, 1, true>>(), preloaded<f32_sliced<Tile, 4, false, 1, false>>(),
             preloaded<f32_sliced<Tile, 4, false, 4, false>>()},
        };
        return kAll[copy_a][copy_b];
    }
};

template <const F32Tiling& kTiling>
using F32Sliced = StreamKLaunch<F32SlicedFamily<kTiling>>;

}  // namespace tiles
