// bf16 and f16 products on Hopper: wgmma fed by the copy engine, the last rung for 16-bit factors.
//
// One idea: nobody waits. A producer warp keeps a ring of stages full by bulk tensor copies; two consumer warp groups
// multiply straight from shared memory; a pair of blocks shares the right factor's tile, each fetching half of it for
// both; blocks are persistent and walk tiles in bands, so that what they read together stays in the L2; results leave
// through shared memory by the copy engine while the next tile begins.
// Guarantees: any m, n, k; out-of-range parts of boxes read as zero and are not written. Pitches and bases that the
// copy engine cannot take are the launcher's business.
#pragma once

#include "tiles/kernels/hopper_ptx.cuh"
#include "tiles/kernels/hopper_schedule.cuh"
#include "tiles/kernels/hopper_store.cuh"
#include "tiles/kernels/hopper_tail.cuh"
#include "tiles/kernels/hopper_wgmma.cuh"

namespace tiles::hopper {

// kGroupN: columns of one consumer group. kGroupsM: 2, groups one below the other; 1, side by side.
template <class In_, class Out_, int kGroupN_, int kGroupsM_, bool kATransposed_, bool kBTransposed_, int kCluster_>
struct Shape16 {
    using In = In_;
    using Out = Out_;
    static constexpr int kGroupN = kGroupN_, kGroupsM = kGroupsM_, kCluster = kCluster_;
    static constexpr bool kATransposed = kATransposed_, kBTransposed = kBTransposed_;
    static constexpr int kM = 64 * kGroupsM, kN = kGroupN * (2 / kGroupsM), kK = 64;
    static constexpr int kABytes = kM * 128, kBBytes = kN * 128, kStageBytes = kABytes + kBBytes;
    static constexpr int kStagingBytes = 2 * kStagingGroupBytes;
    static constexpr int kFit = (232448 - 1024 - 256 - kStagingBytes) / kStageBytes;
    static constexpr int kStages = kFit < 8 ? kFit : 8;
    static constexpr int kSharedBytes = 1024 + kStages * kStageBytes + kStagingBytes + 256;
    static constexpr int kThreads = 384;

    // What a consumer group of block `rank` holds of its cluster's tile.
    __device__ static __forceinline__ Patch patch(const Place& at, int rank, int group) {
        return {(at.m * kCluster + rank) * kM + (kGroupsM == 2 ? group * 64 : 0),
                at.n * kN + (kGroupsM == 2 ? 0 : group * kGroupN), at.batch, at.part};
    }

    // Where sum `i` of a thread of the group lies within the patch.
    __device__ static __forceinline__ Spot spot(int thread, int i) {
        return {thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, i / 4 * 8 + thread % 4 * 2 + i % 2};
    }
};

template <class Out>
struct Arguments16 {
    CUtensorMap a, b;
    int a_planes, b_planes;  // 0: one matrix for the whole batch
    Schedule schedule;
    Output<Out> out;
    float* pieces;  // the tail's sums
};

template <class S>
__device__ __forceinline__ void produce16(const Arguments16<typename S::Out>& g, uint32_t ring, uint32_t full,
                                          uint32_t empty, uint32_t rank) {
    constexpr int kShare = S::kN / S::kCluster;  // columns of B that this block fetches
    constexpr uint16_t kAll = (1 << S::kCluster) - 1;
    int stage = 0, phase = 0;
    const int total = g.schedule.works();
    for (int work = blockIdx.x / S::kCluster; work < total; work += gridDim.x / S::kCluster) {
        const Place at = g.schedule.place(work);
        const int m0 = (at.m * S::kCluster + rank) * S::kM, n0 = at.n * S::kN + rank * kShare;
        const int za = at.batch * g.a_planes, zb = at.batch * g.b_planes;
        for (int block = at.first; block < at.last; ++block) {
            const int k0 = block * S::kK;
            barrier_wait(empty + 8 * stage, phase ^ 1);
            const uint32_t ready = full + 8 * stage, a = ring + stage * S::kStageBytes;
            barrier_expect(ready, S::kStageBytes);
            if constexpr (S::kATransposed) {
                for (int i = 0; i < S::kM / 64; ++i) copy_in(a + i * 8192, &g.a, ready, m0 + i * 64, k0, za);
            } else {
                copy_in(a, &g.a, ready, k0, m0, za);
            }
            const uint32_t b = a + S::kABytes + rank * kShare * 128;
            if constexpr (S::kBTransposed) {
                if constexpr (S::kCluster == 1)
                    copy_in(b, &g.b, ready, k0, n0, zb);
                else
                    copy_in_multicast(b, &g.b, ready, k0, n0, zb, kAll);
            } else {
                for (int i = 0; i < kShare / 64; ++i) {
                    const int x = n0 + i * 64;
                    if constexpr (S::kCluster == 1)
                        copy_in(b + i * 8192, &g.b, ready, x, k0, zb);
                    else
                        copy_in_multicast(b + i * 8192, &g.b, ready, x, k0, zb, kAll);
                }
            }
            if (++stage == S::kStages) stage = 0, phase ^= 1;
        }
    }
}

// One tile's sums; `stage` and `phase` go on from tile to tile.
template <class S>
__device__ __forceinline__ void multiply16(float (&sums)[S::kGroupN / 2], int blocks, uint32_t ring, uint32_t full,
                                           uint32_t empty, int group, int& stage, int& phase) {
    using Multiply = Wgmma<typename S::In, S::kGroupN>;
    constexpr uint32_t kAStep = (S::kATransposed ? 2048 : 32) >> 4, kBStep = (S::kBTransposed ? 32 : 2048) >> 4;
    const uint32_t a_place = ring + (S::kGroupsM == 2 ? group * 8192 : 0);
    const uint32_t b_place = ring + S::kABytes + (S::kGroupsM == 2 ? 0 : group * S::kGroupN * 128);
    const uint64_t a_first = descriptor(a_place, 8192, 1024), b_first = descriptor(b_place, 8192, 1024);
    const int lane = threadIdx.x % 128;
    int before = 0;
    for (int i = 0; i < blocks; ++i) {
        barrier_wait(full + 8 * stage, phase);
        const uint64_t a = a_first + stage * (S::kStageBytes >> 4), b = b_first + stage * (S::kStageBytes >> 4);
        wgmma_fence();
#pragma unroll
        for (int step = 0; step < 4; ++step) {
            Multiply::template shared<S::kATransposed, !S::kBTransposed>(sums, a + step * kAStep, b + step * kBStep,
                                                                         i + step > 0);
        }
        wgmma_commit();
        wgmma_wait<1>();
        if (i > 0 && lane < S::kCluster) barrier_arrive_at(empty + 8 * before, lane);
        before = stage;
        if (++stage == S::kStages) stage = 0, phase ^= 1;
    }
    wgmma_wait<0>();
    pin(sums);
    if (lane < S::kCluster) barrier_arrive_at(empty + 8 * before, lane);
}

template <class S>
__global__ void __launch_bounds__(S::kThreads, 1) gemm16(const __grid_constant__ Arguments16<typename S::Out> g) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ uint8_t raw[];
    const uint32_t ring = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t staging = ring + S::kStages * S::kStageBytes;
    const uint32_t full = staging + S::kStagingBytes, empty = full + 8 * S::kStages;
    const uint32_t rank = S::kCluster > 1 ? cluster_rank() : 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < S::kStages; ++i) {
            barrier_init(full + 8 * i, 1);
            barrier_init(empty + 8 * i, 2 * S::kCluster);
        }
        barrier_init_fence();
    }
    if constexpr (S::kCluster > 1)
        cluster_sync();
    else
        __syncthreads();
    wait_for_predecessors();

    if (threadIdx.x < 128) {
        give_registers<40>();
        if (threadIdx.x == 0) produce16<S>(g, ring, full, empty, rank);
    } else {
        take_registers<232>();
        const int group = threadIdx.x / 128 - 1;
        const int total = g.schedule.works();
        int stage = 0, phase = 0;
        // Every tile starts from zero anyway; but ptxas of CUDA 12 lets multiplies wait for each other where it sees no
        // definition of their sums.
        float sums[S::kGroupN / 2] = {};
        for (int work = blockIdx.x / S::kCluster; work < total; work += gridDim.x / S::kCluster) {
            const Place at = g.schedule.place(work);
            if (at.first == at.last) continue;
            multiply16<S>(sums, at.last - at.first, ring, full, empty, group, stage, phase);
            if (work >= g.schedule.whole)
                store_piece(sums, g.pieces, (work - g.schedule.whole) * S::kCluster + rank);
            else
                store_rows(sums, g.out, S::patch(at, rank, group), staging + group * kStagingGroupBytes, group);
        }
        if (threadIdx.x % 128 == 0) copy_out_wait_read<0>();
    }
    if constexpr (S::kCluster > 1) cluster_sync();
#endif
}

}  // namespace tiles::hopper
