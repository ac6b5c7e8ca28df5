// The tail of a persistent product: tiles that would fill the last wave only partly, cut along k for all blocks.
//
// Owns: the layout of the pieces' sums, and add_tail, which adds them up. One idea: pieces never leave the order of
// wgmma's registers. A thread writes its sums 16 bytes at a time next to its neighbours', the same thread of add_tail
// reads them back, and only the results are put in the order of C. Guarantees: a tile's pieces are added in the order
// of k, whichever block was faster; C is read only if beta is not 0; nothing outside C is written.
#pragma once

#include "tiles/kernels/hopper_ptx.cuh"
#include "tiles/kernels/hopper_schedule.cuh"
#include "tiles/kernels/hopper_store.cuh"

namespace tiles::hopper {

constexpr int kConsumers = 256;  // threads of a block that hold sums

// Row and column of a sum within its group's patch.
struct Spot {
    int row, column;
};

// Place `place` of the pieces holds what one block has of a piece.
template <int kCount>
__device__ __forceinline__ void store_piece(const float (&sums)[kCount], float* pieces, int place) {
    float4* to = reinterpret_cast<float4*>(pieces + static_cast<int64_t>(place) * (kCount * kConsumers));
    to += threadIdx.x - 128;
#pragma unroll
    for (int i = 0; i < kCount / 4; ++i)
        to[i * kConsumers] = make_float4(sums[4 * i], sums[4 * i + 1], sums[4 * i + 2], sums[4 * i + 3]);
}

// A thread's four sums in the pieces that are still to be added.
struct Walk {
    const float4* next;
    int64_t step;
    int left;
};

// kTogether pieces at a time, all of them loaded before the first is added.
template <int kTogether>
__device__ __forceinline__ void add_pieces(float (&sums)[4], Walk& walk) {
    for (; walk.left >= kTogether; walk.left -= kTogether) {
        float4 piece[kTogether];
#pragma unroll
        for (int i = 0; i < kTogether; ++i) piece[i] = walk.next[i * walk.step];
#pragma unroll
        for (int i = 0; i < kTogether; ++i)
            sums[0] += piece[i].x, sums[1] += piece[i].y, sums[2] += piece[i].z, sums[3] += piece[i].w;
        walk.next += kTogether * walk.step;
    }
}

// blockIdx.x: a block of one of the tail's tiles; blockIdx.y: which four sums of each of its threads.
template <class S>
__global__ void __launch_bounds__(kConsumers)
    add_tail(const __grid_constant__ Schedule work, const __grid_constant__ Output<typename S::Out> out,
             const float* pieces) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using Out = typename S::Out;
    const int tile = blockIdx.x / S::kCluster, rank = blockIdx.x % S::kCluster;
    const int thread = threadIdx.x % 128, group = threadIdx.x / 128, chunk = blockIdx.y;
    const bool shared = tile == work.cut_tiles;
    const int first = shared ? work.sharers : tile, step = shared ? 1 : work.cut_tiles;
    const int parts = shared ? work.sharers : work.tail_parts;
    constexpr int64_t kSize = S::kM * S::kN / 4;
    const float4* from = reinterpret_cast<const float4*>(pieces) + chunk * kConsumers + threadIdx.x;
    wait_for_predecessors();
    Walk walk{from + (static_cast<int64_t>(first) * S::kCluster + rank) * kSize, kSize * S::kCluster * step, parts};
    float sums[4] = {0, 0, 0, 0};
    add_pieces<16>(sums, walk);
    add_pieces<4>(sums, walk);
    add_pieces<2>(sums, walk);
    add_pieces<1>(sums, walk);
    const Patch patch = S::patch(work.whole_place(work.whole + tile), rank, group);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const Spot spot = S::spot(thread, chunk * 4 + i);
        const int row = patch.m0 + spot.row, column = patch.n0 + spot.column;
        if (row >= out.m || column >= out.n) continue;
        Out* to = out.c + patch.batch * out.stride_c + row * out.ldc + column;
        const float before = out.beta == 0 ? 0 : out.beta * widen(*to);
        *to = static_cast<Out>(out.alpha * sums[i] + before);
    }
#endif
}

}  // namespace tiles::hopper
