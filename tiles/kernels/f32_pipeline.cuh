// Rung: double buffering with cp.async, and the best fp32 kernel on FMA units.
//
// The idea: while a block multiplies one tile of A and B, cp.async already brings the next ones into other stages of
// shared memory, without passing registers; one barrier per tile is left. The same is done one level up: the fragments
// of the next k are read from shared memory while those of this k are multiplied. A thread owns 16 x 8 results, so that
// 24 floats read from shared memory feed 128 FMA.
//
// Any shape, leading dimension and alignment: see f32_fill.cuh. With more than one part of k (blockIdx.y), partial sums
// go to `partial` and add_parts adds them up in a fixed order. Needs compute capability 8.0.
#pragma once

#include <cstdint>

#include "tiles/kernels/f32_fill.cuh"
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

// Pieces of both fills that are issued with k step kStep of kDepth.
template <int kStep, int kDepth, int kPiece, typename FillA, typename FillB>
__device__ inline void copy_share(FillA& fill_a, FillB& fill_b, uint32_t stage_a, uint32_t stage_b) {
    constexpr int total = FillA::kPieces + FillB::kPieces;
    constexpr int per_step = (total + kDepth - 2) / (kDepth - 1);
    if constexpr (kPiece < per_step && kStep * per_step + kPiece < total) {
        constexpr int piece = kStep * per_step + kPiece;
        if constexpr (piece < FillA::kPieces) {
            fill_a.template copy<piece>(stage_a);
        } else {
            fill_b.template copy<piece - FillA::kPieces>(stage_b);
        }
        copy_share<kStep, kDepth, kPiece + 1>(fill_a, fill_b, stage_a, stage_b);
    }
}

template <typename Tile, typename FillA, typename FillB>
struct F32Block {
    FillA fill_a;
    FillB fill_b;
    F32Lane<Tile> lane;
    uint32_t shared;               // of stage 0
    const float *read_a, *read_b;  // this lane's fragments of k 0 in the stage being multiplied

    static constexpr int kBytesA = Tile::kPitchA * Tile::kDepth * 4;
    static constexpr int kStageFloats = Tile::kStageBytes / 4;

    // K step kStep of the current tile: read the fragments of the next, issue a share of the copies, multiply.
    template <int kStep>
    __device__ void step(bool more, uint32_t write_stage, const float*& next_a, const float*& next_b) {
        if constexpr (kStep < Tile::kDepth) {
            if constexpr (kStep == Tile::kDepth - 1) {
                copies_commit();
                copies_wait<Tile::kStages - 2>();
                __syncthreads();
                read_a = next_a, read_b = next_b;
                lane.read((kStep + 1) & 1, read_a, read_b);
            } else {
                lane.read((kStep + 1) & 1, read_a + (kStep + 1) * Tile::kPitchA, read_b + (kStep + 1) * Tile::kPitchB);
                if (more) copy_share<kStep, Tile::kDepth, 0>(fill_a, fill_b, write_stage, write_stage + kBytesA);
            }
            lane.multiply(kStep & 1);
            step<kStep + 1>(more, write_stage, next_a, next_b);
        }
    }

    template <int kPiece>
    __device__ void copy_all(uint32_t stage) {
        if constexpr (kPiece < FillA::kPieces) fill_a.template copy<kPiece>(stage);
        if constexpr (kPiece < FillB::kPieces) fill_b.template copy<kPiece>(stage + kBytesA);
        if constexpr (kPiece + 1 < FillA::kPieces || kPiece + 1 < FillB::kPieces) copy_all<kPiece + 1>(stage);
    }

    // Multiplies `depth` k, tile by tile.
    __device__ void run(float* memory, int64_t depth, int64_t a_by_k, int64_t b_by_k) {
        const int tiles = static_cast<int>((depth + Tile::kDepth - 1) / Tile::kDepth);
        const int first = static_cast<int>(depth - static_cast<int64_t>(tiles - 1) * Tile::kDepth);
        const int warp = threadIdx.x / 32, in_warp = threadIdx.x % 32;
        const int row = warp % Tile::kWarpsM * Tile::kWarpTileM + in_warp / 8 * 4;
        const int column = warp / Tile::kWarpsM * Tile::kWarpTileN + in_warp % 8 * 4;
        const float* lane_a = memory + row;
        const float* lane_b = memory + Tile::kPitchA * Tile::kDepth + column;
        shared = shared_address(memory);

        fill_a.copy_first(shared, first, a_by_k), fill_b.copy_first(shared + kBytesA, first, b_by_k);
        copies_commit();
#pragma unroll
        for (int stage = 1; stage < Tile::kStages - 1; ++stage) {
            if (stage < tiles) copy_all<0>(shared + stage * Tile::kStageBytes);
            copies_commit();
        }
        copies_wait<Tile::kStages - 2>();
        __syncthreads();
        read_a = lane_a, read_b = lane_b;
        lane.clear();
        lane.read(0, read_a, read_b);
        int reading = 0, writing = Tile::kStages - 1;
        for (int tile = 0; tile < tiles; ++tile) {
            reading = reading + 1 == Tile::kStages ? 0 : reading + 1;
            const float* next_a = lane_a + reading * kStageFloats;
            const float* next_b = lane_b + reading * kStageFloats;
            step<0>(tile + Tile::kStages - 1 < tiles, shared + writing * Tile::kStageBytes, next_a, next_b);
            writing = writing + 1 == Tile::kStages ? 0 : writing + 1;
        }
        copies_wait<0>();
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

template <typename Tile, int kFloatsA, bool kAlongKA, int kFloatsB, bool kAlongKB>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksPerSm) f32_pipeline(const Product<float> p) {
    extern __shared__ float4 dynamic_memory[];
    const int per_matrix = p.tiles_m * p.tiles_n;
    const int64_t matrix = blockIdx.x / per_matrix;
    const TilePlace place = tile_place(blockIdx.x % per_matrix, p.tiles_m, p.tiles_n, p.raster);
    const int64_t row = static_cast<int64_t>(place.row) * Tile::kTileM,
                  column = static_cast<int64_t>(place.column) * Tile::kTileN;
    const int64_t first_k = blockIdx.y * p.k_per_split;
    const int64_t depth = p.k - first_k < p.k_per_split ? p.k - first_k : p.k_per_split;

    using FillA = Fill<Tile::kTileM, Tile::kDepth, Tile::kThreads, kFloatsA, kAlongKA>;
    using FillB = Fill<Tile::kTileN, Tile::kDepth, Tile::kThreads, kFloatsB, kAlongKB>;
    F32Block<Tile, FillA, FillB> block;
    const int64_t a_by_row = kAlongKA ? p.a_by_row : 1, a_by_k = kAlongKA ? 1 : p.a_by_k;
    const int64_t b_by_column = kAlongKB ? p.b_by_column : 1, b_by_k = kAlongKB ? 1 : p.b_by_k;
    block.fill_a.start(p.a + matrix * p.stride_a + row * a_by_row + first_k * a_by_k, a_by_row, a_by_k, p.m - row);
    block.fill_b.start(p.b + matrix * p.stride_b + column * b_by_column + first_k * b_by_k, b_by_column, b_by_k,
                       p.n - column);
    block.run(reinterpret_cast<float*>(dynamic_memory), depth, a_by_k, b_by_k);

    if (p.partial != nullptr) {
        const int64_t matrices = gridDim.x / per_matrix;
        float* partial = p.partial + ((blockIdx.y * matrices + matrix) * p.m + row) * p.n + column;
        store_results<Tile>(block.lane, partial, p.n, p.m - row, p.n - column, 1, 0, p.n % 4 == 0);
    } else {
        float* c = p.c + matrix * p.stride_c + row * p.ldc + column;
        const bool aligned = p.ldc % 4 == 0 && p.stride_c % 4 == 0 && reinterpret_cast<uintptr_t>(p.c) % 16 == 0;
        store_results<Tile>(block.lane, c, p.ldc, p.m - row, p.n - column, p.alpha, p.beta, aligned);
    }
}

}  // namespace tiles
