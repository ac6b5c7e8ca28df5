// The warp-group multiply fed by cp.async: what wgmma gains by itself, before the copy engine and clusters.
//
// Idea: four warps multiply 64 x 256 x 16 in one instruction that reads both factors from shared memory, so registers
// hold sums alone and nothing is loaded by ldmatrix. Threads copy what the next steps need, 16 bytes each, to where the
// 128-byte swizzle has them; a product goes on while the next step's copies are waited for.
// Owns: the kernel for C = alpha A B + beta C, A as [m][k] and B as [n][k] of 16-bit elements, sums in fp32. Needs
// compute capability 9.0 (sm_90a), k and both pitches multiples of 8, bases aligned to 16 bytes. Every m and n.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "tiles/kernels/copy_async.cuh"
#include "tiles/kernels/hopper_wgmma.cuh"

namespace tiles::wgmma_copies {

template <class Element>
struct Arguments {
    const Element *a, *b;
    Element* c;
    int64_t m, n, k, lda, ldb, ldc;
    float alpha, beta;
    int tiles_m, tiles_n, raster;  // rows of tiles that go together, for L2
};

struct Tile {
    static constexpr int kTileM = 128, kTileN = 256, kDepth = 64, kStages = 4, kThreads = 256;
    static constexpr int kRowBytes = kDepth * 2, kABytes = kTileM * kRowBytes;
    static constexpr int kStageBytes = (kTileM + kTileN) * kRowBytes;
    static constexpr int kAlignment = 1024;  // of the swizzle's pattern
    static constexpr int kSharedBytes = kStages * kStageBytes + kAlignment;
    // Steps that copies are ahead: the stage behind the one at hand may still be read, and so may the one before that.
    static constexpr int kAhead = kStages - 2;
};

// 16 bytes of each of a tile's rows that this thread copies.
template <class Element, int kRows>
struct Copier {
    const Element* from;  // of this thread's first row, at its piece
    int64_t turn;         // elements to its next row
    uint32_t to;
    int row, rows;  // its first row, and how many rows there are

    __device__ __forceinline__ Copier(const Element* base, int64_t pitch, int64_t first, int64_t all) {
        const int thread = static_cast<int>(threadIdx.x), piece = thread % 8;
        row = thread / 8;
        rows = static_cast<int>(all - first < kRows ? all - first : kRows);
        from = base + (first + row) * pitch + piece * 8;
        turn = pitch * (Tile::kThreads / 8);
        to = static_cast<uint32_t>(row * Tile::kRowBytes + (piece ^ row % 8) * 16);
    }

    // `left`: elements of k from this step on.
    __device__ __forceinline__ void copy(uint32_t tile, const Element* base, int64_t k, int64_t left) const {
        constexpr int kTurns = kRows / (Tile::kThreads / 8);
        const int piece = static_cast<int>(threadIdx.x) % 8 * 8;
#pragma unroll
        for (int i = 0; i < kTurns; ++i) {
            const bool valid = row + i * (Tile::kThreads / 8) < rows && piece < left;
            copy_async_or_zero<16>(tile + to + i * (Tile::kThreads / 8) * Tile::kRowBytes,
                                   valid ? from + i * turn + k : base, valid);
        }
    }
};

template <class Element>
__device__ __forceinline__ Element scaled(const Arguments<Element>& g, float sum, const Element* before) {
    const float value = g.alpha * sum;
    return static_cast<Element>(g.beta == 0 ? value : value + g.beta * static_cast<float>(*before));
}

// Two neighbours of a row, as one word where C's rows lie so.
template <class Element>
__device__ __forceinline__ void put(const Arguments<Element>& g, bool in_pairs, int64_t row, int64_t column,
                                    float first, float second) {
    if (row >= g.m || column >= g.n) return;
    Element* const c = g.c + row * g.ldc + column;
    if (in_pairs && column + 1 < g.n) {
        struct alignas(4) Pair {
            Element first, second;
        };
        *reinterpret_cast<Pair*>(c) = {scaled(g, first, c), scaled(g, second, c + 1)};
        return;
    }
    *c = scaled(g, first, c);
    if (column + 1 < g.n) c[1] = scaled(g, second, c + 1);
}

template <class Element>
__global__ void __launch_bounds__(Tile::kThreads, 1) gemm(const Arguments<Element> g) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(TILES_ASSUME_SM90A)
    extern __shared__ uint8_t ring_memory[];
    const uint32_t ring = (shared_address(ring_memory) + Tile::kAlignment - 1) / Tile::kAlignment * Tile::kAlignment;
    const int band = static_cast<int>(blockIdx.x) / (g.raster * g.tiles_n), first = band * g.raster;
    const int high = min(g.raster, g.tiles_m - first), within = static_cast<int>(blockIdx.x) - first * g.tiles_n;
    const int64_t m0 = int64_t{1} * (first + within % high) * Tile::kTileM;
    const int64_t n0 = int64_t{1} * (within / high) * Tile::kTileN;
    const Copier<Element, Tile::kTileM> of_a(g.a, g.lda, m0, g.m);
    const Copier<Element, Tile::kTileN> of_b(g.b, g.ldb, n0, g.n);
    const int steps = static_cast<int>((g.k + Tile::kDepth - 1) / Tile::kDepth);
    const auto fetch = [&](int step) {
        if (step < steps) {
            const uint32_t stage = ring + step % Tile::kStages * Tile::kStageBytes;
            const int64_t k = int64_t{1} * step * Tile::kDepth;
            of_a.copy(stage, g.a, k, g.k - k);
            of_b.copy(stage + Tile::kABytes, g.b, k, g.k - k);
        }
        copies_commit();
    };
#pragma unroll
    for (int step = 0; step < Tile::kAhead; ++step) fetch(step);
    float sums[128];
    const int group = static_cast<int>(threadIdx.x) / 128;
    for (int step = 0; step < steps; ++step) {
        copies_wait<Tile::kAhead - 1>();
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();  // this stage has arrived for all, and all are done with the one that is filled next
        const uint32_t stage = ring + step % Tile::kStages * Tile::kStageBytes;
        const uint32_t left = stage + group * 64 * Tile::kRowBytes, right = stage + Tile::kABytes;
        hopper::wgmma_fence();
#pragma unroll
        for (int k = 0; k < Tile::kDepth / 16; ++k)
            hopper::Wgmma<Element, 256>::template shared<0, 0>(sums, hopper::descriptor(left + k * 32, 0, 1024),
                                                               hopper::descriptor(right + k * 32, 0, 1024),
                                                               step + k != 0);
        hopper::wgmma_commit();
        fetch(step + Tile::kAhead);
        hopper::wgmma_wait<1>();
    }
    hopper::wgmma_wait<0>();
    hopper::pin(sums);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const bool in_pairs = g.ldc % 2 == 0 && reinterpret_cast<uintptr_t>(g.c) % 4 == 0;
    const int64_t row = m0 + static_cast<int>(threadIdx.x) / 32 * 16 + lane / 4, column = n0 + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 128; i += 2) put(g, in_pairs, row + i / 2 % 2 * 8, column + i / 4 * 8, sums[i], sums[i + 1]);
#endif
}

}  // namespace tiles::wgmma_copies
