// The row that a kernel has in the registry.
//
// Owns: Kernel, TunedKernel. Rows are written beside the launches, in the .cu files of this folder, with their figures
// from tiles/tuning/; tiles/plan/registry.cpp lists them. Does not choose between them.
#pragma once

#include "tiles/src/problem.h"
#include "tiles/tuning/figures.h"

namespace tiles {

using LaunchFunction = Status(const GemmProblem&, const Tuning&, const DeviceProperties&);

struct Kernel {
    const char* name;            // "f32_pipeline_128x256"
    const char* idea = nullptr;  // one line; nullptr: not a rung of the ladder, only a variant
    Compute compute;
    int min_capability;  // 70, 80, 90
    Figures figures;
    bool (*supports)(const GemmProblem&, const DeviceProperties&);
    // Bytes of workspace for this tuning; nullptr: none.
    size_t (*workspace)(const GemmProblem&, const Tuning&, const DeviceProperties&) = nullptr;
    LaunchFunction* launch;
    // Once per device, before the first launch: shared memory limits. May be nullptr.
    Status (*prepare)() = nullptr;
    // With split_k 2 the blocks share all the work evenly (stream-K) instead of cutting k into parts.
    bool stream_k = false;
};

// What was measured of a kernel on one card, in place of its row's figures.
struct TunedKernel {
    const Kernel* kernel = nullptr;
    double efficiency = 0, fixed_us = 0;
};

// Whether figures are of this tile.
template <typename Tile>
constexpr bool has_tile(const Figures& figures) {
    return figures.tile_m == Tile::kTileM && figures.tile_n == Tile::kTileN && figures.tile_k == Tile::kDepth;
}

}  // namespace tiles
