// Parts of one tile's k in one cluster: the blocks add their sums up in each other's shared memory.
//
// Owns: Team, who a block is in its cluster, and sum_team. One idea: everybody adds. The tile is dealt out in strips of
// 16 columns; each block sends the sums of a strip straight to the shared memory of the strip's owner, which adds them
// in the order of k and writes its strips of C. No second launch, nothing through memory. Guarantees: the same bits
// every time; C is read only if beta is not 0; nothing outside C is written. The ring of stages must be at rest in this
// block when it calls, and stays overwritten.
#pragma once

#include <type_traits>

#include "tiles/kernels/hopper_ptx.cuh"
#include "tiles/kernels/hopper_schedule.cuh"
#include "tiles/kernels/hopper_store.cuh"
#include "tiles/kernels/hopper_tail.cuh"

namespace tiles::hopper {

// A cluster has `parts` teams' worth of blocks: block part * kCluster + rank multiplies part `part` of k for tile
// `rank` of the cluster.
struct Team {
    int rank, part, parts;
};

// Four sums to the same place in block `block` of the cluster.
__device__ __forceinline__ void store_in_block(uint32_t to, uint32_t block, const float* sums) {
    asm volatile(
        "{\n.reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "st.shared::cluster.v4.f32 [remote], {%2, %3, %4, %5};\n}" ::"r"(to),
        "r"(block), "f"(sums[0]), "f"(sums[1]), "f"(sums[2]), "f"(sums[3])
        : "memory");
}

__device__ __forceinline__ float4 load_shared(uint32_t from) {
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(from)
                 : "memory");
    return v;
}

// Four neighbours of a row of C.
template <class Out>
__device__ __forceinline__ void store_four(const Output<Out>& out, const Patch& patch, int row, int column,
                                           const float (&sums)[4]) {
    if (row >= out.m || column >= out.n) return;
    Out* to = out.c + (patch.batch * out.parts + patch.part) * out.stride_c + row * out.ldc + column;
    struct alignas(4 * sizeof(Out)) Four {
        Out values[4];
    };
    if (column + 4 <= out.n && reinterpret_cast<uintptr_t>(to) % sizeof(Four) == 0) {
        Four four{};
        if (out.beta != 0) four = *reinterpret_cast<const Four*>(to);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float before = out.beta == 0 ? 0 : out.beta * widen(four.values[i]);
            four.values[i] = static_cast<Out>(out.alpha * sums[i] + before);
        }
        *reinterpret_cast<Four*>(to) = four;
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (column + i >= out.n) break;
        const float before = out.beta == 0 ? 0 : out.beta * widen(to[i]);
        to[i] = static_cast<Out>(out.alpha * sums[i] + before);
    }
}

// Chunks of four sums lie 8 columns apart; a strip is two of them.
template <class S, int kCount>
__device__ __forceinline__ void push_sums(const float (&sums)[kCount], const Team& team, uint32_t buffer) {
    constexpr int kBytes = kConsumers * 16;  // of a chunk
    const int slice = kCount / 4 / team.parts;
    const uint32_t mine = buffer + team.part * slice * kBytes + (threadIdx.x - 128) * 16;
#pragma unroll
    for (int chunk = 0; chunk < kCount / 4; ++chunk) {
        const int strip = chunk / 2, owner = strip & (team.parts - 1);
        const int place = (strip - owner) / team.parts * 2 + chunk % 2;
        store_in_block(mine + place * kBytes, owner * S::kCluster + team.rank, &sums[chunk * 4]);
    }
}

// Adds the team's sums of this block's strips and writes them.
template <class S>
__device__ __forceinline__ void add_strips(const Output<typename S::Out>& out, const Patch& patch, const Team& team,
                                           uint32_t buffer) {
    constexpr int kBytes = kConsumers * 16;
    const int thread = static_cast<int>(threadIdx.x) % 128, odd = thread % 2;
    const int slice = S::kGroupN / 8 / team.parts;
    const uint32_t mine = buffer + (threadIdx.x - 128) * 16;
    for (int place = 0; place < slice; place += 2) {
        float sums[2][4] = {};
#pragma unroll 4
        for (int part = 0; part < team.parts; ++part) {
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const float4 v = load_shared(mine + (part * slice + place + i) * kBytes);
                sums[i][0] += v.x, sums[i][1] += v.y, sums[i][2] += v.z, sums[i][3] += v.w;
            }
        }
        // Neighbours swap: the even lane gets four columns of the first chunk, the odd one of the second.
        float four[2][4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float received = __shfl_xor_sync(~0u, odd ? sums[0][i] : sums[1][i], 1);
            const float kept = odd ? sums[1][i] : sums[0][i];
            four[i / 2][i % 2] = odd ? received : kept;
            four[i / 2][2 + i % 2] = odd ? kept : received;
        }
        const int strip = place / 2 * team.parts + team.part;
        const int column = patch.n0 + strip * 16 + odd * 8 + thread % 4 / 2 * 4;
        const int row = patch.m0 + thread / 32 * 16 + thread % 32 / 4;
        store_four(out, patch, row, column, four[0]);
        store_four(out, patch, row + 8, column, four[1]);
    }
}

// For the threads that hold sums; the others call cluster_sync twice meanwhile.
template <class S, int kCount>
__device__ __forceinline__ void sum_team(const float (&sums)[kCount], const Output<typename S::Out>& out,
                                         const Patch& patch, const Team& team, uint32_t buffer) {
    cluster_sync();  // nobody multiplies any more: the stages are free
    push_sums<S>(sums, team, buffer);
    cluster_sync();
    add_strips<S>(out, patch, team, buffer);
}

}  // namespace tiles::hopper
