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
#include "tiles/kernels/hopper_team_sum.cuh"
#include "tiles/kernels/hopper_wgmma.cuh"

namespace tiles::hopper {

// kGroupN: columns of one consumer group. kGroupsM: 2, groups one below the other; 1, side by side.
template <class In_, class Out_, int kGroupN_, int kGroupsM_, bool kATransposed_, bool kBTransposed_, int kClusterM_,
          int kClusterN_>
struct Shape16 {
    using In = In_;
    using Out = Out_;
    static constexpr int kGroupN = kGroupN_, kGroupsM = kGroupsM_;
    static constexpr int kClusterM = kClusterM_, kClusterN = kClusterN_, kCluster = kClusterM * kClusterN;
    static_assert(kCluster <= 2, "a pair, below or beside each other, or single blocks");
    static constexpr bool kATransposed = kATransposed_, kBTransposed = kBTransposed_;
    static constexpr int kM = 64 * kGroupsM, kN = kGroupN * (2 / kGroupsM), kK = 64;
    static constexpr int kABytes = kM * 128, kBBytes = kN * 128, kStageBytes = kABytes + kBBytes;
    static constexpr int kStagingBytes = 2 * kStagingGroupBytes;
    static constexpr int kFit = (232448 - 1024 - 256 - kStagingBytes) / kStageBytes;
    static constexpr int kStages = kFit < 8 ? kFit : 8;
    static constexpr int kSharedBytes = 1024 + kStages * kStageBytes + kStagingBytes + 256;
    static constexpr int kThreads = 384;
    // Blocks that may share a tile's k: each must have a strip of columns, and a cluster has 8 blocks at most.
    static constexpr int kMaxTeam = kGroupN % 128 == 0 ? 8 / kCluster : 4;
    static_assert(kGroupN / 16 % kMaxTeam == 0 && kMaxTeam * kCluster <= 8, "even shares of strips");
    static_assert(kM * kN * 4 <= kStages * kStageBytes, "a tile's sums go where the stages were");

    // Of the tile of block `rank` of a cluster.
    __device__ static __forceinline__ int first_row(const Place& at, int rank) {
        return (at.m * kClusterM + rank % kClusterM) * kM;
    }
    __device__ static __forceinline__ int first_column(const Place& at, int rank) {
        return (at.n * kClusterN + rank / kClusterM) * kN;
    }

    // What a consumer group of block `rank` holds of its cluster's tile.
    __device__ static __forceinline__ Patch patch(const Place& at, int rank, int group) {
        return {first_row(at, rank) + (kGroupsM == 2 ? group * 64 : 0),
                first_column(at, rank) + (kGroupsM == 2 ? 0 : group * kGroupN), at.batch, at.part};
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
    float* pieces;   // the tail's sums
    int team_parts;  // blocks of a cluster that share a tile's k, a power of 2; more than 1: one work for each cluster
};

// What a block multiplies of a work of its cluster.
template <class Out>
__device__ __forceinline__ Place share_of(const Arguments16<Out>& g, int work, const Team& team) {
    const Place at = g.schedule.place(work);
    return team.parts > 1 ? Schedule::part_of(at, team.part, team.parts) : at;
}

// How a factor's tile of kAcross by 64 of k is fetched by kSharers blocks, each a share of it for all: rows of it if k
// is contiguous, otherwise boxes of 64 columns or, if there are not enough of them, some of the k of each.
template <int kAcross, bool kAlongK, int kSharers>
struct Fetch {
    static constexpr bool kByK = !kAlongK && kAcross / kSharers % 64 != 0;
    static constexpr int kBoxRows = kAlongK ? kAcross / kSharers : kByK ? 64 / kSharers : 64;
    static constexpr int kBoxes = kAlongK ? 1 : kByK ? kAcross / 64 : kAcross / kSharers / 64;

    // `share`: this block's; `mask`: the blocks of the cluster that need the tile.
    __device__ static __forceinline__ void start(uint32_t to, const CUtensorMap* map, uint32_t ready, int across, int k,
                                                 int plane, int share, uint16_t mask) {
        const int first = kByK ? 0 : share * (kAcross / kSharers);
        to += first * 128 + (kByK ? share * kBoxRows * 128 : 0);
        across += first, k += kByK ? share * kBoxRows : 0;
#pragma unroll
        for (int i = 0; i < kBoxes; ++i) {
            const int x = kAlongK ? k : across + i * 64, y = kAlongK ? across : k;
            if constexpr (kSharers == 1)
                copy_in(to + i * 8192, map, ready, x, y, plane);
            else
                copy_in_multicast(to + i * 8192, map, ready, x, y, plane, mask);
        }
    }
};

template <class S>
using FetchA = Fetch<S::kM, !S::kATransposed, S::kClusterN>;
template <class S>
using FetchB = Fetch<S::kN, S::kBTransposed, S::kClusterM>;

template <class S>
__device__ __forceinline__ void produce16(const Arguments16<typename S::Out>& g, uint32_t ring, uint32_t full,
                                          uint32_t empty, const Team& team) {
    const uint16_t all = static_cast<uint16_t>(((1 << S::kCluster) - 1) << (team.part * S::kCluster));
    const int cluster = S::kCluster * team.parts, total = g.schedule.works();
    int stage = 0, phase = 0;
    int work = blockIdx.x / cluster;
    Place at = share_of(g, work, team);  // its divisions are done while the kernel before ends
    wait_for_predecessors();
    if (g.out.parts == 1 && g.schedule.sharers == 0)
        launch_dependents();  // what is cut is added up by SMs without work
    while (true) {
        const int m0 = S::first_row(at, team.rank), n0 = S::first_column(at, team.rank);
        const int za = at.batch * g.a_planes, zb = at.batch * g.b_planes;
        for (int block = at.first; block < at.last; ++block) {
            const int k0 = block * S::kK;
            barrier_wait(empty + 8 * stage, phase ^ 1);
            const uint32_t ready = full + 8 * stage, a = ring + stage * S::kStageBytes;
            barrier_expect(ready, S::kStageBytes);
            FetchA<S>::start(a, &g.a, ready, m0, k0, za, team.rank / S::kClusterM, all);
            FetchB<S>::start(a + S::kABytes, &g.b, ready, n0, k0, zb, team.rank % S::kClusterM, all);
            if (++stage == S::kStages) stage = 0, phase ^= 1;
        }
        work += gridDim.x / cluster;
        if (work >= total) return;
        at = share_of(g, work, team);
    }
}

// One tile's sums; `stage` and `phase` go on from tile to tile.
template <class S>
__device__ __forceinline__ void multiply16(float (&sums)[S::kGroupN / 2], int blocks, uint32_t ring, uint32_t full,
                                           uint32_t empty, int group, int first_peer, int& stage, int& phase) {
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
        if (i > 0 && lane < S::kCluster) barrier_arrive_at(empty + 8 * before, first_peer + lane);
        before = stage;
        if (++stage == S::kStages) stage = 0, phase ^= 1;
    }
    wgmma_wait<0>();
    pin(sums);
    if (lane < S::kCluster) barrier_arrive_at(empty + 8 * before, first_peer + lane);
}

template <class S>
__device__ __forceinline__ void consume16(const Arguments16<typename S::Out>& g, uint32_t ring, uint32_t staging,
                                          uint32_t full, uint32_t empty, const Team& team) {
    const int group = threadIdx.x / 128 - 1, cluster = S::kCluster * team.parts, total = g.schedule.works();
    int stage = 0, phase = 0;
    // Every tile starts from zero anyway; but ptxas of CUDA 12 lets multiplies wait for each other where it sees no
    // definition of their sums.
    float sums[S::kGroupN / 2] = {};
    wait_for_predecessors();
    for (int work = blockIdx.x / cluster; work < total; work += gridDim.x / cluster) {
        const Place at = share_of(g, work, team);
        if (at.first == at.last) continue;
        multiply16<S>(sums, at.last - at.first, ring, full, empty, group, team.part * S::kCluster, stage, phase);
        if (team.parts > 1)
            sum_team<S>(sums, g.out, S::patch(at, team.rank, group), team, ring);
        else if (work >= g.schedule.whole)
            store_piece(sums, g.pieces, (work - g.schedule.whole) * S::kCluster + team.rank);
        else
            store_rows(sums, g.out, S::patch(at, team.rank, group), staging + group * kStagingGroupBytes, group);
    }
    if (threadIdx.x % 128 == 0) copy_out_wait_read<0>();
}

template <class S>
__global__ void __launch_bounds__(S::kThreads, 1) gemm16(const __grid_constant__ Arguments16<typename S::Out> g) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ uint8_t raw[];
    const uint32_t ring = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t staging = ring + S::kStages * S::kStageBytes;
    const uint32_t full = staging + S::kStagingBytes, empty = full + 8 * S::kStages;
    const int place = static_cast<int>(cluster_rank());
    const Team team{place % S::kCluster, place / S::kCluster, g.team_parts};
    if (threadIdx.x == 0) {
        prefetch_map(&g.a), prefetch_map(&g.b);
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

    if (threadIdx.x < 128) {
        give_registers<40>();
        if (threadIdx.x == 0) produce16<S>(g, ring, full, empty, team);
        if (team.parts > 1) {  // with sum_team
            __syncwarp();
            cluster_sync(), cluster_sync();
        }
    } else {
        take_registers<232>();
        consume16<S>(g, ring, staging, full, empty, team);
    }
    if constexpr (S::kCluster > 1) cluster_sync();
#endif
}

}  // namespace tiles::hopper
