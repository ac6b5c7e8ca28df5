// The warp-group multiply fed by cp.async: what wgmma gains by itself, before the copy engine and clusters.
//
// Idea: four warps multiply 64 x 256 x 16 in one instruction that reads both factors from shared memory, so registers
// hold sums alone and nothing is loaded by ldmatrix. Threads copy what the next steps need, 16 bytes each, to where the
// 128-byte swizzle has them; a product goes on while the next step's copies are waited for.
// Owns: the kernel for C = alpha A B + beta C of 16-bit elements, sums in fp32, C in fp32 or as the factors; each
// factor with k or the other extent along its rows. Needs compute capability 9.0 (sm_90a), bases, pitches and strides
// of the factors that are multiples of 16 bytes. Every m, n, k and batch; nothing outside the matrices is read or
// written.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "tiles/kernels/copy_async.cuh"
#include "tiles/kernels/hopper_wgmma.cuh"

namespace tiles::wgmma_copies {

template <class Element, class Out>
struct Arguments {
    const Element *a, *b;
    Out* c;
    int64_t m, n, k, lda, ldb, ldc;
    int64_t stride_a, stride_b, stride_c;  // from matrix to matrix of a batch
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

// A tile's elements in a piece of 16 bytes.
constexpr int kPiece = 8;

__device__ __forceinline__ int elements_of_piece(int64_t left) {
    return left <= 0 ? 0 : left < kPiece ? static_cast<int>(left) : kPiece;
}

// What this thread copies of a factor's tiles: a piece of every 32nd row. Rows of 128 bytes hold 64 elements of k, or,
// of a factor that lies the other way, 64 of the tile's across, in blocks of 64 rows of k. What does not exist becomes
// zero.
template <class Element, int kAcross, bool kAlongK>
struct Copier {
    static constexpr int kRowsOfTurn = Tile::kThreads / 8;
    static constexpr int kTurns = kAcross / kRowsOfTurn;
    const Element* base;
    const Element* from;  // its first piece
    int64_t pitch, left;  // elements across, from its first piece's on
    uint32_t to;
    int row, piece;

    __device__ __forceinline__ Copier(const Element* matrix, int64_t row_pitch, int64_t first, int64_t all) {
        const int thread = static_cast<int>(threadIdx.x);
        row = thread / 8, piece = thread % 8 * kPiece;
        base = matrix, pitch = row_pitch;
        from = kAlongK ? matrix + (first + row) * pitch + piece : matrix + row * pitch + first + piece;
        left = all - first - (kAlongK ? row : piece);
        to = static_cast<uint32_t>(row * Tile::kRowBytes + (thread % 8 ^ row % 8) * 16);
    }

    // Of k from `k` on, of which `depth` are left.
    __device__ __forceinline__ void copy(uint32_t tile, int64_t k, int64_t depth) const {
#pragma unroll
        for (int i = 0; i < kTurns; ++i) {
            const Element* source;
            int count;
            if constexpr (kAlongK) {
                source = from + i * kRowsOfTurn * pitch + k;
                count = i * kRowsOfTurn < left ? elements_of_piece(depth - piece) : 0;
            } else {
                const int down = i % 2 * kRowsOfTurn, across = i / 2 * Tile::kDepth;
                source = from + (k + down) * pitch + across;
                count = row + down < depth ? elements_of_piece(left - across) : 0;
            }
            copy_async_part(tile + to + i * kRowsOfTurn * Tile::kRowBytes, count > 0 ? source : base,
                            count * static_cast<int>(sizeof(Element)));
        }
    }
};

template <class Element, class Out>
__device__ __forceinline__ Out scaled(const Arguments<Element, Out>& g, float sum, const Out* before) {
    const float value = g.alpha * sum;
    return static_cast<Out>(g.beta == 0 ? value : value + g.beta * static_cast<float>(*before));
}

// Two neighbours of a row, in one store where C's rows lie so.
template <class Element, class Out>
__device__ __forceinline__ void put(const Arguments<Element, Out>& g, Out* matrix, bool in_pairs, int64_t row,
                                    int64_t column, float first, float second) {
    if (row >= g.m || column >= g.n) return;
    Out* const c = matrix + row * g.ldc + column;
    if (in_pairs && column + 1 < g.n) {
        struct alignas(2 * sizeof(Out)) Pair {
            Out first, second;
        };
        *reinterpret_cast<Pair*>(c) = {scaled(g, first, c), scaled(g, second, c + 1)};
        return;
    }
    *c = scaled(g, first, c);
    if (column + 1 < g.n) c[1] = scaled(g, second, c + 1);
}

// kAlongM: A is stored as [k][m]; kAlongN: B as [k][n]. A matrix of the batch is the grid's z.
template <class Element, class Out, bool kAlongM, bool kAlongN>
__global__ void __launch_bounds__(Tile::kThreads, 1) gemm(const Arguments<Element, Out> g) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(TILES_ASSUME_SM90A)
    extern __shared__ uint8_t ring_memory[];
    const uint32_t ring = (shared_address(ring_memory) + Tile::kAlignment - 1) / Tile::kAlignment * Tile::kAlignment;
    const int band = static_cast<int>(blockIdx.x) / (g.raster * g.tiles_n), first = band * g.raster;
    const int high = min(g.raster, g.tiles_m - first), within = static_cast<int>(blockIdx.x) - first * g.tiles_n;
    const int64_t m0 = int64_t{1} * (first + within % high) * Tile::kTileM;
    const int64_t n0 = int64_t{1} * (within / high) * Tile::kTileN, matrix = blockIdx.z;
    const Copier<Element, Tile::kTileM, !kAlongM> of_a(g.a + matrix * g.stride_a, g.lda, m0, g.m);
    const Copier<Element, Tile::kTileN, !kAlongN> of_b(g.b + matrix * g.stride_b, g.ldb, n0, g.n);
    const int steps = static_cast<int>((g.k + Tile::kDepth - 1) / Tile::kDepth);
    const auto fetch = [&](int step) {
        if (step < steps) {
            const uint32_t stage = ring + step % Tile::kStages * Tile::kStageBytes;
            const int64_t k = int64_t{1} * step * Tile::kDepth;
            of_a.copy(stage, k, g.k - k);
            of_b.copy(stage + Tile::kABytes, k, g.k - k);
        }
        copies_commit();
    };
#pragma unroll
    for (int step = 0; step < Tile::kAhead; ++step) fetch(step);
    float sums[128];
    const int group = static_cast<int>(threadIdx.x) / 128;
    // From 16 elements of k to the next: along a row, or 16 rows down.
    constexpr uint32_t kAStep = kAlongM ? 16 * Tile::kRowBytes : 32, kBStep = kAlongN ? 16 * Tile::kRowBytes : 32;
    constexpr uint32_t kBlock = 64 * Tile::kRowBytes, kEightRows = 8 * Tile::kRowBytes;
    for (int step = 0; step < steps; ++step) {
        copies_wait<Tile::kAhead - 1>();
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();  // this stage has arrived for all, and all are done with the one that is filled next
        const uint32_t stage = ring + step % Tile::kStages * Tile::kStageBytes;
        const uint32_t left = stage + group * kBlock, right = stage + Tile::kABytes;
        hopper::wgmma_fence();
#pragma unroll
        for (int k = 0; k < Tile::kDepth / 16; ++k)
            hopper::Wgmma<Element, 256>::template shared<kAlongM, kAlongN>(
                sums, hopper::descriptor(left + k * kAStep, kBlock, kEightRows),
                hopper::descriptor(right + k * kBStep, kBlock, kEightRows), step + k != 0);
        hopper::wgmma_commit();
        fetch(step + Tile::kAhead);
        hopper::wgmma_wait<1>();
    }
    hopper::wgmma_wait<0>();
    hopper::pin(sums);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    Out* const c = g.c + matrix * g.stride_c;
    const bool in_pairs = g.ldc % 2 == 0 && reinterpret_cast<uintptr_t>(c) % (2 * sizeof(Out)) == 0;
    const int64_t row = m0 + static_cast<int>(threadIdx.x) / 32 * 16 + lane / 4, column = n0 + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 128; i += 2) put(g, c, in_pairs, row + i / 2 % 2 * 8, column + i / 4 * 8, sums[i], sums[i + 1]);
#endif
}

}  // namespace tiles::wgmma_copies
