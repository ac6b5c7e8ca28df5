// Compute capability 9.0 and later: the copy engine and wgmma; and the rates that the cost model uses on every device.
//
// The peaks are those of the CUDA C++ Programming Guide, "Arithmetic Instructions", and of the H100's architecture
// white paper. The other figures are an H200's, with their days; NOTES.md tells how the tiles were found ("Tensor
// cores").
#pragma once

#include "tiles/tuning/figures.h"

namespace tiles::sm90 {

inline constexpr Peak kPeak = {.f32 = 128, .f64 = 128, .tf32 = 1024, .half = 2048};

// Nobody has measured these elsewhere, so that they serve all devices. Reads, sums and teams 21 November 2026 (NOTES.md
// "Products that leave SMs idle, bf16"), tails and copies 20 November ("The last wave, cut along k", "Pitches").
inline constexpr Rates kRates = {.port_bytes = 62,
                                 .l2_bytes = 35,
                                 .unaligned = 1.6,
                                 .traffic_share = 0.8,
                                 .sums_share = 0.7,
                                 .add_seconds = 4e-6,
                                 .tail_seconds = 5e-6,
                                 .copy_seconds = 3e-6,
                                 .share_seconds = 6e-6,
                                 .team_seconds = 0.3e-6,
                                 .team_bytes_per_second = 20e9};

// fp32 fed by the copy engine (kernels/f32_tma.cuh), stream-K. 20 November 2026.
inline constexpr Figures kF32Tma128x256 = {
    .tile_m = 128, .tile_n = 256, .tile_k = 8, .max_split = 2, .efficiency = 0.79f, .fixed_us = 8};

// As many parts as SMs.
inline constexpr int kMaxParts = 132;

// bf16 and f16, 21 November 2026. Large tiles in pairs of blocks that share a factor's tile; small ones for products
// that have too few large tiles, in pairs one below the other or, for a single row of tiles, beside it; single blocks
// for everything else.
inline constexpr Wgmma16Tiling kWgmma128x256 = {.group_n = 256,
                                                .groups_m = 2,
                                                .cluster_m = 2,
                                                .cluster_n = 1,
                                                .max_split = kMaxParts,
                                                .efficiency = 0.75f,
                                                .fixed_us = 4.2f};
inline constexpr Wgmma16Tiling kWgmma128x192 = {.group_n = 192,
                                                .groups_m = 2,
                                                .cluster_m = 2,
                                                .cluster_n = 1,
                                                .max_split = kMaxParts,
                                                .efficiency = 0.735f,
                                                .fixed_us = 3.7f};
inline constexpr Wgmma16Tiling kWgmma128x128 = {.group_n = 128,
                                                .groups_m = 2,
                                                .cluster_m = 1,
                                                .cluster_n = 1,
                                                .max_split = kMaxParts,
                                                .efficiency = 0.85f,
                                                .fixed_us = 3};
inline constexpr Wgmma16Tiling kWgmma64x128Below = {.group_n = 64,
                                                    .groups_m = 1,
                                                    .cluster_m = 2,
                                                    .cluster_n = 1,
                                                    .max_split = kMaxParts,
                                                    .efficiency = 0.80f,
                                                    .fixed_us = 3.5f};
inline constexpr Wgmma16Tiling kWgmma64x128Beside = {.group_n = 64,
                                                     .groups_m = 1,
                                                     .cluster_m = 1,
                                                     .cluster_n = 2,
                                                     .max_split = kMaxParts,
                                                     .efficiency = 0.80f,
                                                     .fixed_us = 3.5f};
inline constexpr Wgmma16Tiling kWgmma128x64Below = {.group_n = 64,
                                                    .groups_m = 2,
                                                    .cluster_m = 2,
                                                    .cluster_n = 1,
                                                    .max_split = kMaxParts,
                                                    .efficiency = 0.80f,
                                                    .fixed_us = 3.5f};

// wgmma fed by cp.async, bf16 and f16: 422 TFLOP/s at 8192 x 8192 x 8192 (NOTES.md "wgmma fed by cp.async"). 27
// November 2026.
inline constexpr Figures kWgmmaCopies = {
    .tile_m = 128, .tile_n = 256, .tile_k = 64, .efficiency = 0.39f, .fixed_us = 5};

// tf32, 20 November 2026.
inline constexpr Wgmma32Tiling kTf32Wgmma256x128 = {.rows = 256,
                                                    .three = false,
                                                    .cluster = 2,
                                                    .swapped = false,
                                                    .max_split = kMaxParts,
                                                    .efficiency = 0.70f,
                                                    .fixed_us = 4};
inline constexpr Wgmma32Tiling kTf32Wgmma64x128 = {.rows = 64,
                                                   .three = false,
                                                   .cluster = 1,
                                                   .swapped = false,
                                                   .max_split = kMaxParts,
                                                   .efficiency = 0.45f,
                                                   .fixed_us = 4};

// Three products of tf32, 20 and 21 November 2026 (NOTES.md "fp32 accuracy").
inline constexpr Wgmma32Tiling kF32Tensor192x128 = {.rows = 192,
                                                    .three = true,
                                                    .cluster = 2,
                                                    .swapped = false,
                                                    .max_split = kMaxParts,
                                                    .efficiency = 0.25f,
                                                    .fixed_us = 10};
inline constexpr Wgmma32Tiling kF32Tensor64x128 = {.rows = 64,
                                                   .three = true,
                                                   .cluster = 1,
                                                   .swapped = false,
                                                   .max_split = kMaxParts,
                                                   .efficiency = 0.185f,
                                                   .fixed_us = 6};
inline constexpr Wgmma32Tiling kF32Tensor128x64 = {.rows = 64,
                                                   .three = true,
                                                   .cluster = 1,
                                                   .swapped = true,
                                                   .max_split = kMaxParts,
                                                   .efficiency = 0.185f,
                                                   .fixed_us = 6};

}  // namespace tiles::sm90
