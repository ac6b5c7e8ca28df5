// Compute capability 7.0 and later: the ladder's rungs without cp.async, and the kernels that take what others refuse.
//
// The peaks are those of the CUDA C++ Programming Guide, "Arithmetic Instructions", and of the Tesla V100's
// architecture white paper. The kernels' figures are an H200's, of 20 November 2026 where no other day is named; what
// the rungs reach is in bench/results_h200.txt under "ladder".
#pragma once

#include "tiles/tuning/figures.h"

namespace tiles::sm70 {

// There is no tf32 before 8.0: products of that type go by FMA, and the figure only scales kTf32ByFma.
inline constexpr Peak kPeak = {.f32 = 64, .f64 = 32, .tf32 = 128, .half = 512};

// The ladder, in its order.
inline constexpr Figures kF32Naive = {
    .tile_m = 32, .tile_n = 8, .tile_k = 1, .blocks_per_sm = 8, .efficiency = 0.01f, .fixed_us = 3};
inline constexpr Figures kF32Coalesced = {
    .tile_m = 8, .tile_n = 32, .tile_k = 1, .blocks_per_sm = 8, .efficiency = 0.08f, .fixed_us = 3};
inline constexpr Figures kF32SharedTile = {
    .tile_m = 32, .tile_n = 32, .tile_k = 32, .blocks_per_sm = 2, .efficiency = 0.10f, .fixed_us = 3};
inline constexpr Figures kF32Checked = kF32SharedTile;
inline constexpr Figures kF32DynamicTile = {
    .tile_m = 32, .tile_n = 32, .tile_k = 32, .blocks_per_sm = 2, .efficiency = 0.09f, .fixed_us = 3};
inline constexpr Figures kF32Coarsened = {
    .tile_m = 64, .tile_n = 64, .tile_k = 8, .blocks_per_sm = 4, .efficiency = 0.25f, .fixed_us = 3};
inline constexpr Figures kF32RegisterTile = {
    .tile_m = 128, .tile_n = 128, .tile_k = 8, .blocks_per_sm = 2, .efficiency = 0.45f, .fixed_us = 3};
inline constexpr Figures kF32Vectorised = {
    .tile_m = 128, .tile_n = 128, .tile_k = 8, .blocks_per_sm = 2, .efficiency = 0.60f, .fixed_us = 3};

// One row or column of results: bound by memory whatever its share of the peak is called.
inline constexpr Figures kF32DotRows = {
    .tile_m = 1, .tile_n = 1, .tile_k = 1, .blocks_per_sm = 16, .efficiency = 1, .fixed_us = 2};

// The simplest kernels, for every shape and card. 21 November 2026.
inline constexpr Figures kF64Checked = kF32Checked;
inline constexpr Figures kChecked16 = {
    .tile_m = 32, .tile_n = 32, .tile_k = 32, .blocks_per_sm = 2, .efficiency = 0.005f, .fixed_us = 6};

// What the chooser takes for fp32, as a share of the tensor cores' peak. 21 November 2026.
inline constexpr Figures kF32TensorByFma = {
    .tile_m = 128, .tile_n = 64, .tile_k = 8, .blocks_per_sm = 2, .efficiency = 0.09f, .fixed_us = 5};
inline constexpr Figures kTf32ByFma = {
    .tile_m = 128, .tile_n = 64, .tile_k = 8, .blocks_per_sm = 2, .efficiency = 0.04f, .fixed_us = 6};

}  // namespace tiles::sm70
