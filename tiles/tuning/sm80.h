// Compute capability 8.0 and later: cp.async pipelines, slices of k within a block, and tensor cores by mma.sync.
//
// The peaks are those of the CUDA C++ Programming Guide, "Arithmetic Instructions", and of the A100's architecture
// white paper. The kernels' figures are an H200's, of 20 November 2026 where no other day is named; NOTES.md tells how
// the tiles were found ("fp32 on FMA units", "fp64", "mma.sync").
#pragma once

#include "tiles/tuning/figures.h"

namespace tiles::sm80 {

inline constexpr Peak kPeak = {.f32 = 64, .f64 = 64, .tf32 = 512, .half = 1024};

// fp32 by cp.async (kernels/f32_pipeline.cuh).
inline constexpr F32Tiling kF32Pipeline128x256 = {.warps_m = 2,
                                                  .warps_n = 4,
                                                  .groups_m = 4,
                                                  .groups_n = 2,
                                                  .depth = 8,
                                                  .stages = 4,
                                                  .blocks_per_sm = 1,
                                                  .efficiency = 0.83f,
                                                  .fixed_us = 8};
inline constexpr F32Tiling kF32Pipeline256x128 = {.warps_m = 4,
                                                  .warps_n = 2,
                                                  .groups_m = 4,
                                                  .groups_n = 2,
                                                  .depth = 8,
                                                  .stages = 4,
                                                  .blocks_per_sm = 1,
                                                  .efficiency = 0.79f,
                                                  .fixed_us = 8};
inline constexpr F32Tiling kF32Pipeline128x128 = {.warps_m = 4,
                                                  .warps_n = 2,
                                                  .groups_m = 2,
                                                  .groups_n = 2,
                                                  .depth = 8,
                                                  .stages = 4,
                                                  .blocks_per_sm = 2,
                                                  .efficiency = 0.755f,
                                                  .fixed_us = 7};
inline constexpr F32Tiling kF32Pipeline256x64 = {.warps_m = 4,
                                                 .warps_n = 1,
                                                 .groups_m = 4,
                                                 .groups_n = 2,
                                                 .depth = 8,
                                                 .stages = 4,
                                                 .blocks_per_sm = 2,
                                                 .efficiency = 0.77f,
                                                 .fixed_us = 7};
inline constexpr F32Tiling kF32Pipeline64x256 = {.warps_m = 1,
                                                 .warps_n = 4,
                                                 .groups_m = 4,
                                                 .groups_n = 2,
                                                 .depth = 8,
                                                 .stages = 4,
                                                 .blocks_per_sm = 2,
                                                 .efficiency = 0.785f,
                                                 .fixed_us = 7};
inline constexpr F32Tiling kF32Pipeline64x128 = {.warps_m = 2,
                                                 .warps_n = 2,
                                                 .groups_m = 2,
                                                 .groups_n = 2,
                                                 .depth = 8,
                                                 .stages = 4,
                                                 .blocks_per_sm = 3,
                                                 .efficiency = 0.745f,
                                                 .fixed_us = 5};
inline constexpr F32Tiling kF32Pipeline64x64 = {.warps_m = 2,
                                                .warps_n = 2,
                                                .groups_m = 2,
                                                .groups_n = 1,
                                                .depth = 8,
                                                .stages = 4,
                                                .blocks_per_sm = 4,
                                                .efficiency = 0.61f,
                                                .fixed_us = 4};

// k sliced within the block (kernels/f32_sliced.cuh); warps and groups are those of one slice. 21 November 2026,
// NOTES.md "Few tiles, long k, one column".
inline constexpr F32Tiling kF32Sliced64x128 = {.warps_m = 2,
                                               .warps_n = 2,
                                               .groups_m = 2,
                                               .groups_n = 2,
                                               .depth = 8,
                                               .stages = 3,
                                               .blocks_per_sm = 1,
                                               .slices = 3,
                                               .efficiency = 0.775f,
                                               .fixed_us = 4.5f};
inline constexpr F32Tiling kF32Sliced128x64 = {.warps_m = 2,
                                               .warps_n = 1,
                                               .groups_m = 4,
                                               .groups_n = 2,
                                               .depth = 8,
                                               .stages = 4,
                                               .blocks_per_sm = 1,
                                               .slices = 4,
                                               .efficiency = 0.765f,
                                               .fixed_us = 6};
inline constexpr F32Tiling kF32Sliced128x128 = {.warps_m = 2,
                                                .warps_n = 2,
                                                .groups_m = 4,
                                                .groups_n = 2,
                                                .depth = 8,
                                                .stages = 4,
                                                .blocks_per_sm = 1,
                                                .slices = 2,
                                                .efficiency = 0.805f,
                                                .fixed_us = 4};

// fp64 on tensor cores (kernels/f64_tensor_cores.cuh), stream-K.
inline constexpr Figures kF64TensorCores = {
    .tile_m = 128, .tile_n = 128, .tile_k = 16, .max_split = 2, .efficiency = 0.90f, .fixed_us = 8};

// mma.sync (kernels/mma_gemm.cuh). On Hopper they stop near 60 % of wgmma's rate, hence the shares.
inline constexpr Figures kMma16 = {.tile_m = 128,
                                   .tile_n = 128,
                                   .tile_k = 32,
                                   .blocks_per_sm = 2,
                                   .max_split = 64,
                                   .efficiency = 0.26f,
                                   .fixed_us = 4};
inline constexpr Figures kMmaTf32 = {.tile_m = 128,
                                     .tile_n = 128,
                                     .tile_k = 16,
                                     .blocks_per_sm = 2,
                                     .max_split = 64,
                                     .efficiency = 0.22f,
                                     .fixed_us = 4};
inline constexpr Figures kMma3xTf32 = {
    .tile_m = 128, .tile_n = 128, .tile_k = 16, .max_split = 64, .efficiency = 0.085f, .fixed_us = 4};

}  // namespace tiles::sm80
