// k sliced within the block, for products with few tiles.
//
// The idea: a product of about as many tiles as SMs leaves one block on each SM, whose few warps cannot cover for each
// other's waits. Here a block is several groups of warps that all multiply the same tile, each over its own part of
// k, with its own stages and its own barrier, so that groups never wait for one another; at the end they add up
// through shared memory, in the order of k: the same bits every time.
//
// Shares of work (stream_k.cuh), copies (fill.cuh) and what a group does (F32Block) are the pipeline's. Any shape,
// leading dimension and alignment. Needs compute capability 8.0.
#pragma once

#include <cstdint>

#include "tiles/kernels/dependent_launch.cuh"
#include "tiles/kernels/f32_lane.cuh"
#include "tiles/kernels/f32_pipeline.cuh"
#include "tiles/kernels/fill.cuh"
#include "tiles/kernels/product.cuh"
#include "tiles/kernels/stream_k.cuh"

namespace tiles {

// A block's tile, multiplied by kGroups groups; Group_ is the tile as one of them works on it.
template <typename Group_, int kGroups_>
struct F32SlicedTile {
    using Group = Group_;
    static constexpr int kGroups = kGroups_, kDepth = Group::kDepth, kBlocksPerSm = Group::kBlocksPerSm;
    static constexpr int kTileM = Group::kTileM, kTileN = Group::kTileN, kSize = kTileM * kTileN;
    static constexpr int kThreads = kGroups * Group::kThreads;
    static constexpr int kStagesBytes = kGroups * Group::kSharedBytes, kSumsBytes = kGroups * kSize * 4;
    static constexpr int kSharedBytes = kStagesBytes > kSumsBytes ? kStagesBytes : kSumsBytes;
    static_assert(4 * kThreads % kTileN == 0, "threads add up whole rows");
};

// One group of a block's threads.
template <int kThreads>
struct SliceTeam {
    int group;

    __device__ int thread() const { return static_cast<int>(threadIdx.x) - group * kThreads; }
    // Barrier 0 is __syncthreads.
    __device__ void meet() const { asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(kThreads) : "memory"); }
};

// Leaves a lane's sums in shared memory, in rows of kTileN. `one`: see StreamK.
template <typename Tile>
__device__ inline void put_sums(const F32Lane<Tile>& lane, int thread, float* memory, float one) {
    const int warp = thread / 32, in_warp = thread % 32;
    const int row = warp % Tile::kWarpsM * Tile::kWarpTileM + in_warp / 8 * 4;
    const int column = warp / Tile::kWarpsM * Tile::kWarpTileN + in_warp % 8 * 4;
#pragma unroll
    for (int i = 0; i < 4 * Tile::kGroupsM; ++i) {
        float* line = memory + (row + i / 4 * 16 + i % 4) * Tile::kTileN + column;
#pragma unroll
        for (int g = 0; g < Tile::kGroupsN; ++g) {
            const float* sums = lane.sums[i] + 4 * g;
            *reinterpret_cast<float4*>(line + 32 * g) =
                make_float4(one * sums[0], one * sums[1], one * sums[2], one * sums[3]);
        }
    }
}

// Adds up what the groups left in shared memory, first to last, and calls take(row, column, sums) for four neighbours
// of each row below `rows`. A thread stays in its columns.
template <typename Tile, typename Take>
__device__ inline void add_slices(const float* memory, int rows, Take take) {
    constexpr int kRowsAtOnce = 4 * Tile::kThreads / Tile::kTileN;
    const int first = static_cast<int>(threadIdx.x) / (Tile::kTileN / 4);
    const int column = static_cast<int>(threadIdx.x) % (Tile::kTileN / 4) * 4;
    const float* from = memory + first * Tile::kTileN + column;
#pragma unroll 2
    for (int row = first; row < rows; row += kRowsAtOnce, from += kRowsAtOnce * Tile::kTileN) {
        float4 sum = *reinterpret_cast<const float4*>(from);
#pragma unroll
        for (int group = 1; group < Tile::kGroups; ++group) {
            const float4 more = *reinterpret_cast<const float4*>(from + group * Tile::kSize);
            sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
        }
        take(row, column, sum);
    }
}

// Four neighbouring results of a row of C, of which `count` exist.
__device__ inline void store_four(float* place, float4 sum, int count, float alpha, float beta, bool aligned) {
    if (aligned && count >= 4) {
        float4 four = {alpha * sum.x, alpha * sum.y, alpha * sum.z, alpha * sum.w};
        if (beta != 0) {
            const float4 old = *reinterpret_cast<const float4*>(place);
            four.x += beta * old.x, four.y += beta * old.y, four.z += beta * old.z, four.w += beta * old.w;
        }
        *reinterpret_cast<float4*>(place) = four;
        return;
    }
    const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        if (j < count) store(place + j, sums[j], alpha, beta);
    }
}

// A group's part of a block's piece of work.
template <int kGroups>
__device__ inline Piece slice_of(const Piece& piece, int group) {
    const int64_t count = piece.end - piece.begin;
    return {piece.tile, piece.begin + static_cast<int>(count * group / kGroups),
            piece.begin + static_cast<int>(count * (group + 1) / kGroups), true};
}

// Stores what all groups have of a piece: results in C if the piece is a whole tile, else sums in the workspace.
template <typename Tile>
__device__ inline void store_piece(const Product<float>& p, const StreamK& plan, const Piece& piece,
                                   const PiecePlace<float, Tile>& at, const float* memory) {
    if (piece.begin == 0 && piece.end == plan.iterations) {
        float* c = p.c + at.matrix * p.stride_c + at.row * p.ldc + at.column;
        const int rows = static_cast<int>(p.m - at.row < Tile::kTileM ? p.m - at.row : Tile::kTileM);
        const int columns = static_cast<int>(p.n - at.column < Tile::kTileN ? p.n - at.column : Tile::kTileN);
        const bool aligned = p.ldc % 4 == 0 && p.stride_c % 4 == 0 && reinterpret_cast<uintptr_t>(p.c) % 16 == 0;
        add_slices<Tile>(memory, rows, [&](int row, int column, float4 sum) {
            store_four(c + row * p.ldc + column, sum, columns - column, p.alpha, p.beta, aligned);
        });
    } else {
        float* partial = p.partial + partial_place(blockIdx.x, piece.begin) * Tile::kSize;
        add_slices<Tile>(memory, Tile::kTileM, [&](int row, int column, float4 sum) {
            *reinterpret_cast<float4*>(partial + row * Tile::kTileN + column) = sum;
        });
    }
}

template <typename Tile, int kFloatsA, bool kAlongKA, int kFloatsB, bool kAlongKB>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksPerSm)
    f32_sliced(const Product<float> p, const StreamK plan) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    extern __shared__ float4 dynamic_memory[];
    float* memory = reinterpret_cast<float*>(dynamic_memory);
    using Group = typename Tile::Group;
    using FillA = Fill<float, Tile::kTileM, Tile::kDepth, Group::kThreads, kFloatsA, kAlongKA>;
    using FillB = Fill<float, Tile::kTileN, Tile::kDepth, Group::kThreads, kFloatsB, kAlongKB>;
    const int64_t a_by_row = kAlongKA ? p.a_by_row : 1, a_by_k = kAlongKA ? 1 : p.a_by_k;
    const int64_t b_by_column = kAlongKB ? p.b_by_column : 1, b_by_k = kAlongKB ? 1 : p.b_by_k;
    // The same in all lanes of a warp, and the compiler may know it.
    const int group = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / Group::kThreads, 0);
    F32Block<Group, FillA, FillB, SliceTeam<Group::kThreads>> slice;
    slice.team.group = group;
    const int thread = slice.team.thread();
    Walk walk;
    walk.start(plan, blockIdx.x);
    wait_for_earlier_kernels();
    for (Piece piece = walk.next(plan); piece.valid; piece = walk.next(plan)) {
        const Piece part = slice_of<Tile::kGroups>(piece, group);
        const PiecePlace<float, Tile> at(p, plan, part);
        if (part.begin < part.end) {
            slice.fill_a.start(thread, p.a + at.matrix * p.stride_a + at.row * a_by_row + at.first_k * a_by_k, a_by_row,
                               a_by_k, p.m - at.row);
            slice.fill_b.start(thread, p.b + at.matrix * p.stride_b + at.column * b_by_column + at.first_k * b_by_k,
                               b_by_column, b_by_k, p.n - at.column);
            slice.run(memory + group * (Group::kSharedBytes / 4), part.end - part.begin, at.first_depth, a_by_k,
                      b_by_k);
        } else {
            slice.lane.clear();
            slice.team.meet();
        }
        // All groups meet equally often: compute-sanitizer's racecheck loses count otherwise.
        const int longest = (piece.end - piece.begin + Tile::kGroups - 1) / Tile::kGroups;
        for (int i = part.end - part.begin; i < longest; ++i) slice.team.meet();
        __syncthreads();  // no stage is read any more
        put_sums(slice.lane, thread, memory + group * Tile::kSize, plan.one);
        __syncthreads();
        store_piece(p, plan, piece, at, memory);
        __syncthreads();  // the stages are free again
    }
#endif
}

}  // namespace tiles
