// Rung: the copy engine fills the tiles (TMA), and barriers in shared memory say when.
//
// The idea: one thread of a warp group of its own, which gives its registers to the others, asks the copy engine for a
// whole tile in one instruction; no thread computes addresses, guards edges (what lies outside arrives as zeros) or
// holds pointers. A `full` barrier per stage counts the bytes that have arrived, an `empty` one the warps that have
// read them: warps wait for data and never for each other. The thread that asks runs ahead of the multiplication,
// across tiles of C: the next one's first stages fill while this one's results are stored.
//
// The multiplication is the pipeline rung's (f32_lane.cuh), and so is stream-K. Both factors lie along the tile: the
// copy engine does not transpose. Boxes are not swizzled and rows not padded: a warp reads 64 or 128 bytes of one row
// at a time, which no two lanes take from the same bank. Needs compute capability 9.0.
#pragma once

#include "tiles/kernels/f32_lane.cuh"
#include "tiles/kernels/hopper_ptx.cuh"
#include "tiles/kernels/product.cuh"
#include "tiles/kernels/stream_k.cuh"

namespace tiles {

using TmaTile = F32Tile<2, 4, 4, 2, 8, 4, 1>;
constexpr int kTmaBytesA = TmaTile::kTileM * TmaTile::kDepth * 4, kTmaBytesB = TmaTile::kTileN * TmaTile::kDepth * 4;
constexpr int kTmaStageBytes = kTmaBytesA + kTmaBytesB, kTmaShared = kTmaStageBytes * TmaTile::kStages + 128;
constexpr int kTmaThreads = TmaTile::kThreads + 128;  // one thread of the last four warps asks

struct TmaArguments {
    CUtensorMap a, b;         // [k][m] and [k][n], boxes of kDepth x kTileM and kDepth x kTileN
    bool a_planes, b_planes;  // whether each matrix of the batch has its own
    Product<float> product;   // its factors' pointers and steps are not used
    StreamK plan;
};

// The block's ring of stages, as one thread sees it.
struct TmaRing {
    uint32_t stages, full, empty;
    int stage = 0, phase = 0;  // of the next tile

    __device__ void advance() {
        if (++stage == TmaTile::kStages) stage = 0, phase ^= 1;
    }
};

// The asking thread: all tiles of the block's work, one piece after the other, as stages fall empty.
__device__ inline void ask_for_tiles(const TmaArguments& g, TmaRing ring) {
    Walk walk;
    walk.start(g.plan, blockIdx.x);
    for (Piece piece = walk.next(g.plan); piece.valid; piece = walk.next(g.plan)) {
        const PiecePlace<float, TmaTile> at(g.product, g.plan, piece);
        const int row = static_cast<int>(at.row), column = static_cast<int>(at.column);
        const int matrix = static_cast<int>(at.matrix), a_z = g.a_planes ? matrix : 0, b_z = g.b_planes ? matrix : 0;
        for (int tile = piece.begin; tile < piece.end; ++tile, ring.advance()) {
            const uint32_t full = ring.full + 8 * ring.stage, place = ring.stages + ring.stage * kTmaStageBytes;
            hopper::barrier_wait(ring.empty + 8 * ring.stage, ring.phase ^ 1);  // passes while no tile was here yet
            hopper::barrier_expect(full, kTmaStageBytes);
            hopper::copy_in(place, &g.a, full, row, tile * TmaTile::kDepth, a_z);
            hopper::copy_in(place + kTmaBytesA, &g.b, full, column, tile * TmaTile::kDepth, b_z);
        }
    }
}

// K step kStep of the current tile. The next step's fragments are read first; the last step's from the next stage,
// which is waited for.
template <int kStep>
__device__ __forceinline__ void tma_step(F32Lane<TmaTile>& lane, const TmaRing& ring, const float* lane_a,
                                         const float* lane_b, const float*& read_a, const float*& read_b, bool more) {
    if constexpr (kStep < TmaTile::kDepth) {
        if constexpr (kStep < TmaTile::kDepth - 1) {
            lane.read((kStep + 1) & 1, read_a + (kStep + 1) * TmaTile::kTileM, read_b + (kStep + 1) * TmaTile::kTileN);
        } else if (more) {
            const int floats = ring.stage * (kTmaStageBytes / 4);
            read_a = lane_a + floats, read_b = lane_b + floats;
            hopper::barrier_wait(ring.full + 8 * ring.stage, ring.phase);
            lane.read((kStep + 1) & 1, read_a, read_b);
        }
        lane.multiply(kStep & 1);
        tma_step<kStep + 1>(lane, ring, lane_a, lane_b, read_a, read_b, more);
    }
}

// A multiplying thread: the same tiles.
__device__ inline void multiply_tiles(const TmaArguments& g, TmaRing ring, const float* stages) {
    const int warp = threadIdx.x / 32, in_warp = threadIdx.x % 32;
    const float* lane_a = stages + warp % TmaTile::kWarpsM * TmaTile::kWarpTileM + in_warp / 8 * 4;
    const float* lane_b = stages + kTmaBytesA / 4 + warp / TmaTile::kWarpsM * TmaTile::kWarpTileN + in_warp % 8 * 4;
    F32Lane<TmaTile> lane;
    Walk walk;
    walk.start(g.plan, blockIdx.x);
    for (Piece piece = walk.next(g.plan); piece.valid; piece = walk.next(g.plan)) {
        const float *read_a = lane_a + ring.stage * (kTmaStageBytes / 4),
                    *read_b = lane_b + ring.stage * (kTmaStageBytes / 4);
        hopper::barrier_wait(ring.full + 8 * ring.stage, ring.phase);
        lane.clear();
        lane.read(0, read_a, read_b);
        for (int left = piece.end - piece.begin; left > 0; --left) {
            const uint32_t done = ring.empty + 8 * ring.stage;
            ring.advance();
            tma_step<0>(lane, ring, lane_a, lane_b, read_a, read_b, left > 1);
            __syncwarp();
            if (in_warp == 0) hopper::barrier_arrive(done);
        }
        const PiecePlace<float, TmaTile> at(g.product, g.plan, piece);
        const Product<float>& p = g.product;
        if (piece.begin == 0 && piece.end == g.plan.iterations) {
            float* c = p.c + at.matrix * p.stride_c + at.row * p.ldc + at.column;
            const bool aligned = p.ldc % 4 == 0 && p.stride_c % 4 == 0 && reinterpret_cast<uintptr_t>(p.c) % 16 == 0;
            store_results<TmaTile>(lane, c, p.ldc, p.m - at.row, p.n - at.column, p.alpha, p.beta, aligned);
        } else {
            float* partial = p.partial + partial_place(blockIdx.x, piece.begin) * TmaTile::kTileM * TmaTile::kTileN;
            store_results<TmaTile>(lane, partial, TmaTile::kTileN, TmaTile::kTileM, TmaTile::kTileN, g.plan.one, 0,
                                   true);
        }
    }
}

__global__ void __launch_bounds__(kTmaThreads, 1) f32_tma(const __grid_constant__ TmaArguments g) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ __align__(128) float memory[];  // the stages
    __shared__ __align__(8) uint64_t barriers[2 * TmaTile::kStages];
    TmaRing ring;
    ring.stages = hopper::shared_address(memory);
    ring.full = hopper::shared_address(barriers), ring.empty = ring.full + 8 * TmaTile::kStages;
    if (threadIdx.x == 0) {
        for (int i = 0; i < TmaTile::kStages; ++i) {
            hopper::barrier_init(ring.full + 8 * i, 1);
            hopper::barrier_init(ring.empty + 8 * i, TmaTile::kThreads / 32);
        }
        hopper::barrier_init_fence();
    }
    __syncthreads();
    if (threadIdx.x < TmaTile::kThreads) {
        hopper::take_registers<240>();
        multiply_tiles(g, ring, memory);
    } else {
        hopper::give_registers<24>();
        if (threadIdx.x == TmaTile::kThreads) ask_for_tiles(g, ring);
    }
#endif
}

}  // namespace tiles
