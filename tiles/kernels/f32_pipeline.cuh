// Rung: double buffering with cp.async, and the best fp32 kernel on FMA units.
//
// The idea: while a block multiplies one tile of A and B, cp.async already brings the next ones into other stages of
// shared memory, without passing registers; one barrier per tile is left. The same is done one level up: the fragments
// of the next k are read from shared memory while those of this k are multiplied. A thread owns 16 x 8 results, so that
// 24 floats read from shared memory feed 128 FMA.
//
// The grid is one wave of blocks that stay, and stream-K deals the last waves out evenly (stream_k.cuh). Any shape,
// leading dimension and alignment (fill.cuh). Needs compute capability 8.0.
#pragma once

#include <cstdint>

#include "tiles/kernels/f32_lane.cuh"
#include "tiles/kernels/fill.cuh"
#include "tiles/kernels/product.cuh"
#include "tiles/kernels/stream_k.cuh"

namespace tiles {

// Pieces of both fills that are issued with k step kStep. Four together: the compiler guards each group of copies with
// three empty reads of shared memory, and one group per step would cost 36 of them a tile.
constexpr int kCopiesTogether = 4;

template <int kStep, int kDepth, int kPiece, typename FillA, typename FillB>
__device__ inline void copy_share(FillA& fill_a, FillB& fill_b, uint32_t stage_a, uint32_t stage_b) {
    constexpr int total = FillA::kPieces + FillB::kPieces;
    constexpr int least = (total + kDepth - 2) / (kDepth - 1);
    constexpr int per_step = least > kCopiesTogether ? least : kCopiesTogether;
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

// Who multiplies a tile together: here all threads of a block.
struct WholeBlock {
    __device__ unsigned thread() const { return threadIdx.x; }  // an int costs the loop 2 % (NOTES.md)
    __device__ void meet() const { __syncthreads(); }
};

template <typename Tile, typename FillA, typename FillB, typename Team = WholeBlock>
struct F32Block {
    Team team;
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
                team.meet();
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

    // Multiplies `tiles` tiles, the first of them `first` deep.
    __device__ void run(float* memory, int tiles, int first, int64_t a_by_k, int64_t b_by_k) {
        const int warp = team.thread() / 32, in_warp = team.thread() % 32;
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
        team.meet();
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

template <typename Tile, int kFloatsA, bool kAlongKA, int kFloatsB, bool kAlongKB>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksPerSm)
    f32_pipeline(const Product<float> p, const StreamK plan) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    extern __shared__ float4 dynamic_memory[];
    using FillA = Fill<float, Tile::kTileM, Tile::kDepth, Tile::kThreads, kFloatsA, kAlongKA>;
    using FillB = Fill<float, Tile::kTileN, Tile::kDepth, Tile::kThreads, kFloatsB, kAlongKB>;
    const int64_t a_by_row = kAlongKA ? p.a_by_row : 1, a_by_k = kAlongKA ? 1 : p.a_by_k;
    const int64_t b_by_column = kAlongKB ? p.b_by_column : 1, b_by_k = kAlongKB ? 1 : p.b_by_k;
    F32Block<Tile, FillA, FillB> block;
    Walk walk;
    walk.start(plan, blockIdx.x);
    for (Piece piece = walk.next(plan); piece.valid; piece = walk.next(plan)) {
        const PiecePlace<float, Tile> at(p, plan, piece);
        block.fill_a.start(threadIdx.x, p.a + at.matrix * p.stride_a + at.row * a_by_row + at.first_k * a_by_k,
                           a_by_row, a_by_k, p.m - at.row);
        block.fill_b.start(threadIdx.x, p.b + at.matrix * p.stride_b + at.column * b_by_column + at.first_k * b_by_k,
                           b_by_column, b_by_k, p.n - at.column);
        block.run(reinterpret_cast<float*>(dynamic_memory), piece.end - piece.begin, at.first_depth, a_by_k, b_by_k);
        if (piece.begin == 0 && piece.end == plan.iterations) {
            float* c = p.c + at.matrix * p.stride_c + at.row * p.ldc + at.column;
            const bool aligned = p.ldc % 4 == 0 && p.stride_c % 4 == 0 && reinterpret_cast<uintptr_t>(p.c) % 16 == 0;
            store_results<Tile>(block.lane, c, p.ldc, p.m - at.row, p.n - at.column, p.alpha, p.beta, aligned);
        } else {
            float* partial = p.partial + partial_place(blockIdx.x, piece.begin) * Tile::kTileM * Tile::kTileN;
            store_results<Tile>(block.lane, partial, Tile::kTileN, Tile::kTileM, Tile::kTileN, plan.one, 0, true);
        }
        __syncthreads();  // the stages are free again
    }
#endif
}

}  // namespace tiles
