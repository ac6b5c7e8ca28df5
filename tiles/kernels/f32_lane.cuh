// The part of a warp's tile that one lane owns: fragments of A and B, their outer product, the store. What the
// vectorised rung and the pipeline share.
//
// Owns: F32Tile (the sizes), F32Lane, store_results. Guarantees: reads of shared memory are float4 and free of bank
// conflicts for rows of kPitch floats; stores are float4 wherever the row of C allows it.
#pragma once

#include <cstdint>

#include "tiles/kernels/product.cuh"

namespace tiles {

// A warp is 4 x 8 lanes; a lane owns kGroupsM x kGroupsN groups of 4 x 4 results.
template <int kWarpsM_, int kWarpsN_, int kGroupsM_, int kGroupsN_, int kDepth_, int kStages_, int kBlocksPerSm_>
struct F32Tile {
    static constexpr int kWarpsM = kWarpsM_, kWarpsN = kWarpsN_, kGroupsM = kGroupsM_, kGroupsN = kGroupsN_;
    static constexpr int kDepth = kDepth_, kStages = kStages_, kBlocksPerSm = kBlocksPerSm_;
    static constexpr int kThreads = 32 * kWarpsM * kWarpsN;
    static constexpr int kWarpTileM = 16 * kGroupsM, kWarpTileN = 32 * kGroupsN;
    static constexpr int kTileM = kWarpsM * kWarpTileM, kTileN = kWarpsN * kWarpTileN;
    static constexpr int kPitchA = kTileM + 4, kPitchB = kTileN + 4;
    static constexpr int kStageBytes = (kPitchA + kPitchB) * kDepth * 4;
    static constexpr int kSharedBytes = kStageBytes * kStages;
};

// What one lane holds: its results and two sets of fragments.
template <typename Tile>
struct F32Lane {
    static constexpr int kM = 4 * Tile::kGroupsM, kN = 4 * Tile::kGroupsN;
    float sums[kM][kN];
    float a[2][kM], b[2][kN];

    __device__ void clear() {
#pragma unroll
        for (int i = 0; i < kM; ++i) {
#pragma unroll
            for (int j = 0; j < kN; ++j) sums[i][j] = 0;
        }
    }

    // Fragments of one k; the pointers stand at this lane's first element of it.
    __device__ void read(int set, const float* from_a, const float* from_b) {
#pragma unroll
        for (int g = 0; g < Tile::kGroupsM; ++g) {
            const float4 four = *reinterpret_cast<const float4*>(from_a + 16 * g);
            a[set][4 * g] = four.x, a[set][4 * g + 1] = four.y, a[set][4 * g + 2] = four.z, a[set][4 * g + 3] = four.w;
        }
#pragma unroll
        for (int g = 0; g < Tile::kGroupsN; ++g) {
            const float4 four = *reinterpret_cast<const float4*>(from_b + 32 * g);
            b[set][4 * g] = four.x, b[set][4 * g + 1] = four.y, b[set][4 * g + 2] = four.z, b[set][4 * g + 3] = four.w;
        }
    }

    // Rows are walked to and fro, so that one factor of each FMA was a factor of the FMA before.
    __device__ void multiply(int set) {
#pragma unroll
        for (int i = 0; i < kM; ++i) {
#pragma unroll
            for (int j = 0; j < kN; ++j) {
                const int column = i & 1 ? kN - 1 - j : j;
                sums[i][column] = fmaf(a[set][i], b[set][column], sums[i][column]);
            }
        }
    }
};

// Stores a lane's results: whole groups of four as float4 where the row allows, single floats elsewhere.
template <typename Tile>
__device__ inline void store_results(const F32Lane<Tile>& lane, float* c, int64_t ldc, int64_t rows, int64_t columns,
                                     float alpha, float beta, bool aligned) {
    const int warp = threadIdx.x / 32, in_warp = threadIdx.x % 32;
    const int first_row = warp % Tile::kWarpsM * Tile::kWarpTileM + in_warp / 8 * 4;
    const int first_column = warp / Tile::kWarpsM * Tile::kWarpTileN + in_warp % 8 * 4;
#pragma unroll
    for (int i = 0; i < 4 * Tile::kGroupsM; ++i) {
        const int row = first_row + i / 4 * 16 + i % 4;
        if (row >= rows) continue;
#pragma unroll
        for (int g = 0; g < Tile::kGroupsN; ++g) {
            const int column = first_column + 32 * g;
            float* place = c + row * ldc + column;
            const float* sums = lane.sums[i] + 4 * g;
            if (aligned && column + 4 <= columns) {
                float4 four = {alpha * sums[0], alpha * sums[1], alpha * sums[2], alpha * sums[3]};
                if (beta != 0) {
                    const float4 old = *reinterpret_cast<const float4*>(place);
                    four.x += beta * old.x, four.y += beta * old.y, four.z += beta * old.z, four.w += beta * old.w;
                }
                *reinterpret_cast<float4*>(place) = four;
            } else {
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    if (column + j < columns) store(place + j, sums[j], alpha, beta);
                }
            }
        }
    }
}

}  // namespace tiles
