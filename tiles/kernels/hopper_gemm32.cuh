// tf32 products, and products of fp32 accuracy from three of them, on Hopper: wgmma whose left factor is in registers.
//
// One idea: wgmma wants 32-bit factors with k contiguous in shared memory, but takes its left factor from registers,
// where any order is as good as another. So the kernel computes the transpose, C^T = B^T A^T: B comes as it lies,
// through registers, and A, whose k is contiguous, through shared memory. The copy engine rounds both to tf32 on their
// way; splitting B into two tf32 numbers costs a few instructions. fp32 accuracy: x = high + low, both tf32. A B =
// A_high B_high + A_high B_low + A_low B_high + what is below fp32. B's halves are made in registers. A's are made
// beforehand where many tiles read them, and otherwise in shared memory, by warps that have nothing else to do. The
// tensor cores truncate when they add, so each block of k starts from zero and the block's sums are added to the totals
// by rounding fp32 adds; the two groups take turns, so that one adds while the other multiplies. Guarantees: any m, n,
// k; out-of-range parts of boxes read as zero and are not written.
#pragma once

#include "tiles/kernels/hopper_ptx.cuh"
#include "tiles/kernels/hopper_schedule.cuh"
#include "tiles/kernels/hopper_split.cuh"
#include "tiles/kernels/hopper_store_columns.cuh"
#include "tiles/kernels/hopper_tail.cuh"
#include "tiles/kernels/hopper_wgmma.cuh"
#include "tiles/kernels/tf32.cuh"

namespace tiles::hopper {

// kM: rows of C, wgmma's N. 128 columns of C: 64 for each group. kSwapped: the product is B^T A^T, so that what the
// kernel computes is C itself: rows and columns, A and B have changed places in all but C's.
template <int kM_, bool kThree_, bool kBTransposed_, int kCluster_, bool kSwapped_ = false>
struct Shape32 {
    static constexpr int kM = kM_, kN = 128, kK = 32, kCluster = kCluster_;
    static constexpr bool kThree = kThree_, kBTransposed = kBTransposed_, kSwapped = kSwapped_;
    static_assert(kBTransposed || !kSwapped, "store_rows knows wgmma's own order of rows");
    static constexpr int kABytes = kM * 128, kAParts = kThree ? 2 : 1;
    // Whether A is split in shared memory; otherwise its two halves come from memory.
    static constexpr bool kSplitsA = kThree && kM <= 64;
    static constexpr int kFetchedA = kThree && !kSplitsA ? 2 : 1;
    static constexpr int kBBytes = kN * 128;  // B's columns contiguous: blocks of 32 columns, 32 rows of k each
    static constexpr int kStageBytes = kABytes * kAParts + kBBytes;
    static constexpr int kStagingBytes = 2 * kColumnsStagingBytes;
    static constexpr int kFit = (232448 - 1024 - 256 - kStagingBytes) / kStageBytes;
    static constexpr int kStages = kFit < 8 ? kFit : 8;
    static constexpr int kSharedBytes = 1024 + kStages * kStageBytes + kStagingBytes + 256;
    static constexpr int kThreads = 384;
    // Registers of a thread that copies or splits, and of one that multiplies.
    static constexpr int kFewRegisters = kSplitsA ? 104 : kThree ? 24 : 40;
    static constexpr int kManyRegisters = kSplitsA ? 200 : kThree ? 240 : 232;
    static constexpr bool kAhead = kSplitsA;  // B of the next block is read and split during the multiply
    using Out = float;

    // What a consumer group of block `rank` holds of its cluster's tile.
    __device__ static __forceinline__ Patch patch(const Place& at, int rank, int group) {
        const int across = at.m * kM, along = (at.n * kCluster + rank) * kN + group * 64;
        return {kSwapped ? along : across, kSwapped ? across : along, at.batch, at.part};
    }

    // Where sum `i` of a thread of the group lies within the patch.
    __device__ static __forceinline__ Spot spot(int thread, int i) {
        const int along = column_of<kBTransposed>(thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8);
        const int across = i / 4 * 8 + thread % 4 * 2 + i % 2;
        return {kSwapped ? along : across, kSwapped ? across : along};
    }
};

constexpr int kSplitters = 3;  // warps

struct Arguments32 {
    CUtensorMap a, a_low, b;
    int a_planes, b_planes;  // 0: one matrix for the whole batch
    Schedule schedule;
    Output<float> out;
    float* pieces;  // the tail's sums
};

template <class S>
__device__ __forceinline__ void fetch_b(const CUtensorMap* map, uint32_t to, uint32_t ready, int n0, int k0,
                                        int plane) {
    if constexpr (S::kBTransposed) {
        copy_in(to, map, ready, k0, n0, plane);
    } else {
        for (int i = 0; i < S::kN / 32; ++i) copy_in(to + i * 4096, map, ready, n0 + i * 32, k0, plane);
    }
}

// The cluster's blocks have the same rows of A; each fetches its share of them for all.
template <class S>
__device__ __forceinline__ void fetch_a(const CUtensorMap* map, uint32_t to, uint32_t ready, int k0, int m0, int plane,
                                        int rank) {
    constexpr int kShare = S::kM / S::kCluster;
    const uint32_t place = to + rank * kShare * 128;
    if constexpr (S::kCluster == 1)
        copy_in(place, map, ready, k0, m0, plane);
    else
        copy_in_multicast(place, map, ready, k0, m0 + rank * kShare, plane, (1 << S::kCluster) - 1);
}

template <class S>
__device__ __forceinline__ void produce32(const Arguments32& g, uint32_t ring, uint32_t full, uint32_t empty,
                                          int rank) {
    int stage = 0, phase = 0;
    const int total = g.schedule.works();
    for (int work = blockIdx.x / S::kCluster; work < total; work += gridDim.x / S::kCluster) {
        const Place at = g.schedule.place(work);
        const int m0 = at.m * S::kM, n0 = (at.n * S::kCluster + rank) * S::kN;
        const int za = at.batch * g.a_planes, zb = at.batch * g.b_planes;
#pragma unroll 1  // more needs more registers than this warp has
        for (int block = at.first; block < at.last; ++block) {
            const uint32_t ready = full + 8 * stage, a = ring + stage * S::kStageBytes;
            barrier_wait(empty + 8 * stage, phase ^ 1);
            barrier_expect(ready, S::kABytes * S::kFetchedA + S::kBBytes);
            fetch_a<S>(&g.a, a, ready, block * S::kK, m0, za, rank);
            if (S::kFetchedA == 2) fetch_a<S>(&g.a_low, a + S::kABytes, ready, block * S::kK, m0, za, rank);
            fetch_b<S>(&g.b, a + S::kABytes * S::kAParts, ready, n0, block * S::kK, zb);
            if (++stage == S::kStages) stage = 0, phase ^= 1;
        }
    }
}

// The other warps of the producer's group make A's halves in each stage, and say so at `halved`. Nobody needs to wait
// for them when the stage is filled again: who multiplied has waited for `halved`.
template <class S>
__device__ __forceinline__ void split_a(const Arguments32& g, uint32_t ring, uint32_t full, uint32_t halved) {
    int stage = 0, phase = 0;
    const int total = g.schedule.works(), thread = static_cast<int>(threadIdx.x) - 32;
    for (int work = blockIdx.x / S::kCluster; work < total; work += gridDim.x / S::kCluster) {
        const Place at = g.schedule.place(work);
#pragma unroll 1
        for (int left = at.last - at.first; left > 0; --left) {
            barrier_wait(full + 8 * stage, phase);
            split_tile<S::kABytes, 32 * kSplitters>(ring + stage * S::kStageBytes, thread);
            fence_shared_to_async();
            __syncwarp();
            if (thread % 32 == 0) barrier_arrive(halved + 8 * stage);
            if (++stage == S::kStages) stage = 0, phase ^= 1;
        }
    }
}

__device__ __forceinline__ uint32_t load_shared(uint32_t from) {
    uint32_t x;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
    return x;
}

__device__ __forceinline__ void load_shared_pair(uint32_t& x, uint32_t& y, uint32_t from) {
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(from) : "memory");
}

// Where a thread finds its elements of B's tile in a stage, for k = 8 * step + 4 * high + t: a place that depends on
// wgmma's row (row, or row + 8) and `high`, moved by a constant for each step.
template <class S>
struct BPlaces {
    uint32_t place[2][2];  // B's columns contiguous: row + 8 is the column after row's

    __device__ __forceinline__ void set(int group, int thread) {
        const int t = thread % 4;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int column = group * 64 + column_of<S::kBTransposed>(thread / 32 * 16 + thread % 32 / 4 + 8 * half);
#pragma unroll
            for (int high = 0; high < 2; ++high) {
                place[half][high] = S::kBTransposed ? swizzled(column, high * 16 + t * 4)
                                                    : column / 32 * 4096 + swizzled(4 * high + t, column % 32 * 4);
            }
        }
    }

    __device__ __forceinline__ uint32_t at(uint32_t tile, int half, int step, int high) const {
        if constexpr (S::kBTransposed)
            return (tile + place[half][high]) ^ (step << 5);
        else
            return tile + place[half][high] + step * 1024;
    }
};

template <class S>
__device__ __forceinline__ void load_b(uint32_t (&raw)[4][4], const BPlaces<S>& places, uint32_t tile) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int step = i / 2, high = i % 2;
        uint32_t *one = &raw[step][2 * high], *other = one + 1;
        if constexpr (S::kBTransposed)
            *one = load_shared(places.at(tile, 0, step, high)), *other = load_shared(places.at(tile, 1, step, high));
        else
            load_shared_pair(*one, *other, places.at(tile, 0, step, high));
    }
}

// After the multiplies that read `raw` are done: until here the compiler must not use its registers for anything else.
__device__ __forceinline__ void release_registers(const uint32_t (&raw)[4][4]) {
#pragma unroll
    for (int i = 0; i < 16; ++i) asm volatile("" ::"r"(raw[i / 4][i % 4]) : "memory");
}

struct Turn {
    int stage = 0, phase = 0;
    template <class S>
    __device__ __forceinline__ void next() {
        if (++stage == S::kStages) stage = 0, phase ^= 1;
    }
};

// Reads B's part of the stage whose turn it is.
template <class S>
__device__ __forceinline__ void take_b(uint32_t (&b)[4][4], const BPlaces<S>& places, uint32_t ring, uint32_t full,
                                       const Turn& turn) {
    barrier_wait(full + 8 * turn.stage, turn.phase);
    load_b<S>(b, places, ring + turn.stage * S::kStageBytes + S::kABytes);
}

template <class S>
__device__ __forceinline__ void issue_block(float (&sums)[S::kM / 2], const uint32_t (&b)[4][4], uint32_t place,
                                            bool keep) {
    const uint64_t a = descriptor(place, 16, 1024);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < 4; ++step) Wgmma<Tf32, S::kM>::registers(sums, b[step], a + step * 2, keep || step > 0);
    wgmma_commit();
}

// One tile, one product. Two sets of registers: while one block multiplies, the next one's B is read and queued behind
// it.
template <class S>
__device__ __forceinline__ void multiply_once(float (&sums)[S::kM / 2], int blocks, uint32_t ring, uint32_t full,
                                              uint32_t empty, const BPlaces<S>& places, Turn& turn) {
    const int lane = static_cast<int>(threadIdx.x) % 128;
    uint32_t even[4][4], odd[4][4];
    int before = 0;
    take_b<S>(even, places, ring, full, turn);
    const auto advance = [&](uint32_t(&now)[4][4], uint32_t(&next)[4][4], int i) {
        const int stage = turn.stage;
        issue_block<S>(sums, now, ring + stage * S::kStageBytes, i > 0);
        turn.next<S>();
        wgmma_wait<1>();
        release_registers(next);
        if (i > 0 && lane < S::kCluster) barrier_arrive_at(empty + 8 * before, lane);
        before = stage;
        if (i + 1 < blocks) take_b<S>(next, places, ring, full, turn);
    };
#pragma unroll
    for (int i = 0; i < 16; ++i) odd[i / 4][i % 4] = 0;
    for (int i = 0; i < blocks; i += 2) {
        advance(even, odd, i);
        if (i + 1 < blocks) advance(odd, even, i + 1);
    }
    wgmma_wait<0>();
    release_registers(even);
    release_registers(odd);
    pin(sums);
    if (lane < S::kCluster) barrier_arrive_at(empty + 8 * before, lane);
}

struct Halves {
    uint32_t high[4][4], low[4][4];
};

template <class S>
__device__ __forceinline__ void take_halves(Halves& b, const BPlaces<S>& places, uint32_t ring, uint32_t full,
                                            const Turn& turn) {
    barrier_wait(full + 8 * turn.stage, turn.phase);
    load_b<S>(b.high, places, ring + turn.stage * S::kStageBytes + S::kABytes * 2);
    split_all(b.high, b.low);
}

// One block's three products, from zero; the groups issue in turn (named barriers 4 and 5).
template <class S>
__device__ __forceinline__ void issue_thrice(float (&sums)[S::kM / 2], const Halves& b, uint32_t place, int group) {
    using Multiply = Wgmma<Tf32, S::kM>;
    const uint64_t a_high = descriptor(place, 16, 1024), a_low = descriptor(place + S::kABytes, 16, 1024);
    group_sync(4 + group, 256);
    wgmma_fence();
    // The small products first: what they add up to is not cut off by the large ones.
#pragma unroll
    for (int step = 0; step < 4; ++step) {
        Multiply::registers(sums, b.low[step], a_high + step * 2, step > 0);
        Multiply::registers(sums, b.high[step], a_low + step * 2, true);
    }
#pragma unroll
    for (int step = 0; step < 4; ++step) Multiply::registers(sums, b.high[step], a_high + step * 2, true);
    wgmma_commit();
    group_arrive(4 + (group ^ 1), 256);
}

// One tile, three products. While one group multiplies, the other adds; where the registers suffice, the next block's B
// is split under the multiply, too: at 64 rows that is no longer than what else there is to do.
template <class S>
__device__ __forceinline__ void multiply_thrice(float (&totals)[S::kM / 2], int blocks, uint32_t ring, uint32_t full,
                                                uint32_t empty, uint32_t halved, const BPlaces<S>& places, Turn& turn,
                                                int group) {
    const int lane = static_cast<int>(threadIdx.x) % 128;
    float sums[S::kM / 2];
#pragma unroll
    for (int i = 0; i < S::kM / 2; ++i) totals[i] = 0;
    const auto advance = [&](Halves& now, Halves& next, int i) {
        const uint32_t stage = turn.stage;
        if (!S::kAhead) take_halves<S>(now, places, ring, full, turn);
        if (S::kSplitsA) barrier_wait(halved + 8 * stage, turn.phase);
        issue_thrice<S>(sums, now, ring + stage * S::kStageBytes, group);
        turn.next<S>();
        if (S::kAhead && i + 1 < blocks) take_halves<S>(next, places, ring, full, turn);
        wgmma_wait<0>();
        release_registers(now.high);
        release_registers(now.low);
        pin(sums);
        if (lane < S::kCluster) barrier_arrive_at(empty + 8 * stage, lane);
#pragma unroll
        for (int j = 0; j < S::kM / 2; ++j) totals[j] += sums[j];
    };
    Halves even;
    if constexpr (S::kAhead) {
        Halves odd;
        take_halves<S>(even, places, ring, full, turn);
        for (int i = 0; i < blocks; i += 2) {
            advance(even, odd, i);
            if (i + 1 < blocks) advance(odd, even, i + 1);
        }
    } else {
#pragma unroll 1
        for (int i = 0; i < blocks; ++i) advance(even, even, i);
    }
}

template <class S>
__device__ __forceinline__ void consume32(const Arguments32& g, uint32_t ring, uint32_t staging, uint32_t full,
                                          uint32_t empty, uint32_t halved, int rank) {
    const int group = static_cast<int>(threadIdx.x) / 128 - 1;
    const int total = g.schedule.works();
    Turn turn;
    BPlaces<S> places;
    places.set(group, static_cast<int>(threadIdx.x) % 128);
    if (S::kThree && group == 1) group_arrive(4, 256);  // the first turn is group 0's
    // Every tile starts from zero anyway; but ptxas of CUDA 12 lets multiplies wait for each other where it sees no
    // definition of their sums.
    float sums[S::kM / 2] = {};
    for (int work = blockIdx.x / S::kCluster; work < total; work += gridDim.x / S::kCluster) {
        const Place at = g.schedule.place(work);
        if (at.first == at.last) continue;
        if constexpr (S::kThree)
            multiply_thrice<S>(sums, at.last - at.first, ring, full, empty, halved, places, turn, group);
        else
            multiply_once<S>(sums, at.last - at.first, ring, full, empty, places, turn);
        if (work >= g.schedule.whole) {
            store_piece(sums, g.pieces, (work - g.schedule.whole) * S::kCluster + rank);
            continue;
        }
        const Patch patch = S::patch(at, rank, group);
        if constexpr (S::kSwapped)
            store_rows(sums, g.out, patch, staging + group * kStagingGroupBytes, group);
        else
            store_columns<S::kBTransposed>(sums, g.out, patch, staging + group * kColumnsStagingBytes, group);
    }
    if (S::kThree && group == 0) group_sync(4, 256);  // takes the arrival that nobody waits for
    if (threadIdx.x % 128 == 0) copy_out_wait_read<0>();
}

template <class S>
__global__ void __launch_bounds__(S::kThreads, 1) gemm32(const __grid_constant__ Arguments32 g) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ uint8_t raw[];
    const uint32_t ring = (shared_address(raw) + 1023) & ~1023u;
    const uint32_t staging = ring + S::kStages * S::kStageBytes;
    const uint32_t full = staging + S::kStagingBytes, empty = full + 8 * S::kStages, halved = empty + 8 * S::kStages;
    const int rank = S::kCluster > 1 ? static_cast<int>(cluster_rank()) : 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < S::kStages; ++i) {
            barrier_init(full + 8 * i, 1);
            barrier_init(empty + 8 * i, 2 * S::kCluster);
            if (S::kSplitsA) barrier_init(halved + 8 * i, kSplitters);
        }
        barrier_init_fence();
    }
    if constexpr (S::kCluster > 1)
        cluster_sync();
    else
        __syncthreads();
    wait_for_predecessors();
    if (threadIdx.x < 128) {
        give_registers<S::kFewRegisters>();
        if (threadIdx.x == 0) produce32<S>(g, ring, full, empty, rank);
        if constexpr (S::kSplitsA) {
            if (threadIdx.x >= 32) split_a<S>(g, ring, full, halved);
        }
    } else {
        take_registers<S::kManyRegisters>();
        consume32<S>(g, ring, staging, full, empty, halved, rank);
    }
    if constexpr (S::kCluster > 1) cluster_sync();
#endif
}

}  // namespace tiles::hopper
