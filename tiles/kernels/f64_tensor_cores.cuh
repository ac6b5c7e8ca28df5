// fp64 on tensor cores: mma.sync on doubles, fed like the fp32 pipeline.
//
// The idea: one instruction multiplies 16 x 8 x 8 doubles (8 x 8 x 4 before compute capability 9.0) at twice the rate
// of FMA units. Its fragments are read from shared memory as [k][across] with a pitch of 4 doubles past a multiple of
// 16, so that the four k by four rows of a half warp's read lie in different banks. Tiles of 128 x 128 by 16 deep;
// cp.async and stream-K as in f32_pipeline. Any shape, leading dimension and alignment. Needs compute capability 8.0.
#pragma once

#include <cstdint>

#include "tiles/kernels/fill.cuh"
#include "tiles/kernels/product.cuh"
#include "tiles/kernels/stream_k.cuh"

namespace tiles {

struct F64Tile {
    static constexpr int kTileM = 128, kTileN = 128, kDepth = 16, kStages = 4, kThreads = 256, kBlocksPerSm = 1;
    static constexpr int kWarpsM = 2, kWarpTileM = 64, kWarpTileN = 32;
    static constexpr int kPitch = kTileM + 4, kPitchAsItLies = kDepth + 4;  // of [k][across] and of [across][k]
    static constexpr int kBytesOfOne = kPitchAsItLies * kTileM * 8, kStageBytes = 2 * kBytesOfOne;
    static_assert(kBytesOfOne >= kPitch * kDepth * 8, "room for both ways");
    static constexpr int kSharedBytes = kStageBytes * kStages;
    static constexpr int kM = kWarpTileM / 16, kN = kWarpTileN / 8, kSteps = kDepth / 8;
    static_assert(kTileM == kTileN && kSteps == 2, "one pitch; fragments alternate between two sets");
};

// Distances in shared memory, in doubles, between neighbours across and along k.
template <bool kAlongK>
struct F64Steps {
    static constexpr int kAcross = kAlongK ? F64Tile::kPitchAsItLies : 1, kK = kAlongK ? 1 : F64Tile::kPitch;
};

// sums (16 x 8) += a (16 x 8) b (8 x 8).
__device__ inline void multiply_16x8x8(double* sums, const double* a, const double* b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#pragma unroll
    for (int part = 0; part < 4; ++part) {
        const int half = part % 2, k = part / 2;
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(sums[2 * half]), "+d"(sums[2 * half + 1])
                     : "d"(a[half + 2 * k]), "d"(b[k]));
    }
#endif
}

template <typename FillA, typename FillB, typename StepsA, typename StepsB>
struct F64Block {
    FillA fill_a;
    FillB fill_b;
    double sums[F64Tile::kM][F64Tile::kN][4];
    double a[2][F64Tile::kM][4], b[2][F64Tile::kN][2];

    // Fragments of eight k; the pointers stand at this lane's first element of them.
    __device__ void read(int set, const double* from_a, const double* from_b) {
#pragma unroll
        for (int i = 0; i < F64Tile::kM; ++i) {
#pragma unroll
            for (int e = 0; e < 4; ++e)
                a[set][i][e] = from_a[(16 * i + e % 2 * 8) * StepsA::kAcross + e / 2 * 4 * StepsA::kK];
        }
#pragma unroll
        for (int j = 0; j < F64Tile::kN; ++j) {
#pragma unroll
            for (int e = 0; e < 2; ++e) b[set][j][e] = from_b[8 * j * StepsB::kAcross + e * 4 * StepsB::kK];
        }
    }

    __device__ void multiply(int set) {
#pragma unroll
        for (int i = 0; i < F64Tile::kM; ++i) {
#pragma unroll
            for (int j = 0; j < F64Tile::kN; ++j) multiply_16x8x8(sums[i][j], a[set][i], b[set][j]);
        }
    }

    // Both operands along k, in copies of 16 bytes: the assembler moves all multiplies of a set ahead of the barrier,
    // and nothing is left to cover the reads that follow it. Reads and copies spread over the multiplies keep them in
    // place. (Where the whole sets above are read, it leaves the multiplies alone; there this way is 3 % slower.)
    static constexpr bool kStepwise =
        StepsA::kK == 1 && StepsB::kK == 1 && FillA::kPieces == F64Tile::kM && FillB::kPieces == F64Tile::kM;

    // Row by row of fragments: reads the other set's, copies a piece of a later tile if `copies`, multiplies set `set`.
    template <int kRow = 0>
    __device__ void step(int set, const double* from_a, const double* from_b, bool copies, uint32_t stage) {
#pragma unroll
        for (int e = 0; e < 4; ++e)
            a[1 - set][kRow][e] = from_a[(16 * kRow + e % 2 * 8) * StepsA::kAcross + e / 2 * 4 * StepsA::kK];
#pragma unroll
        for (int j = 0; kRow == 0 && j < F64Tile::kN; ++j) {
#pragma unroll
            for (int e = 0; e < 2; ++e) b[1 - set][j][e] = from_b[8 * j * StepsB::kAcross + e * 4 * StepsB::kK];
        }
        if (copies) {
            fill_a.template copy<kRow>(stage);
            fill_b.template copy<kRow>(stage + F64Tile::kBytesOfOne);
        }
#pragma unroll
        for (int j = 0; j < F64Tile::kN; ++j) multiply_16x8x8(sums[kRow][j], a[set][kRow], b[set][j]);
        if constexpr (kRow + 1 < F64Tile::kM) step<kRow + 1>(set, from_a, from_b, copies, stage);
    }

    template <int kPiece = 0>
    __device__ void copy_all(uint32_t stage) {
        if constexpr (kPiece < FillA::kPieces) fill_a.template copy<kPiece>(stage);
        if constexpr (kPiece < FillB::kPieces) fill_b.template copy<kPiece>(stage + F64Tile::kBytesOfOne);
        if constexpr (kPiece + 1 < FillA::kPieces || kPiece + 1 < FillB::kPieces) copy_all<kPiece + 1>(stage);
    }

    // Multiplies `tiles` tiles, the first of them `first` deep.
    __device__ void run(double* memory, int tiles, int first, int64_t a_by_k, int64_t b_by_k) {
        using Tile = F64Tile;
        constexpr int stage_doubles = Tile::kStageBytes / 8;
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        const int row = warp % Tile::kWarpsM * Tile::kWarpTileM + lane / 4;
        const int column = warp / Tile::kWarpsM * Tile::kWarpTileN + lane / 4;
        const double* lane_a = memory + lane % 4 * StepsA::kK + row * StepsA::kAcross;
        const double* lane_b = memory + Tile::kBytesOfOne / 8 + lane % 4 * StepsB::kK + column * StepsB::kAcross;
        const uint32_t shared = shared_address(memory);
        fill_a.copy_first(shared, first, a_by_k), fill_b.copy_first(shared + Tile::kBytesOfOne, first, b_by_k);
        copies_commit();
#pragma unroll
        for (int stage = 1; stage < Tile::kStages - 1; ++stage) {
            if (stage < tiles) copy_all(shared + stage * Tile::kStageBytes);
            copies_commit();
        }
#pragma unroll
        for (int i = 0; i < Tile::kM * Tile::kN * 4; ++i) (&sums[0][0][0])[i] = 0;
        copies_wait<Tile::kStages - 2>();
        __syncthreads();
        read(0, lane_a, lane_b);
        int reading = 0, writing = Tile::kStages - 1;
        for (int tile = 0; tile < tiles; ++tile) {
            const int now = reading * stage_doubles;
            reading = reading + 1 == Tile::kStages ? 0 : reading + 1;
            if constexpr (kStepwise) {
                step(0, lane_a + now + 8 * StepsA::kK, lane_b + now + 8 * StepsB::kK, tile + Tile::kStages - 1 < tiles,
                     shared + writing * Tile::kStageBytes);
                copies_commit();
                copies_wait<Tile::kStages - 2>();
                __syncthreads();
                step(1, lane_a + reading * stage_doubles, lane_b + reading * stage_doubles, false, 0);
                writing = writing + 1 == Tile::kStages ? 0 : writing + 1;
                continue;
            }
            read(1, lane_a + now + 8 * StepsA::kK, lane_b + now + 8 * StepsB::kK);
            if (tile + Tile::kStages - 1 < tiles) copy_all(shared + writing * Tile::kStageBytes);
            copies_commit();
            multiply(0);
            copies_wait<Tile::kStages - 2>();
            __syncthreads();
            read(0, lane_a + reading * stage_doubles, lane_b + reading * stage_doubles);
            multiply(1);
            writing = writing + 1 == Tile::kStages ? 0 : writing + 1;
        }
        copies_wait<0>();
    }

    __device__ void store_all(double* c, int64_t ldc, int64_t rows, int64_t columns, double alpha, double beta) const {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        const int first_row = warp % F64Tile::kWarpsM * F64Tile::kWarpTileM + lane / 4;
        const int first_column = warp / F64Tile::kWarpsM * F64Tile::kWarpTileN + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < F64Tile::kM; ++i) {
#pragma unroll
            for (int j = 0; j < F64Tile::kN; ++j) {
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int row = first_row + 16 * i + e / 2 * 8, column = first_column + 8 * j + e % 2;
                    if (row < rows && column < columns) store(c + row * ldc + column, sums[i][j][e], alpha, beta);
                }
            }
        }
    }
};

template <int kPer, bool kAlongK>
struct F64Fill {
    using Type = Fill<double, F64Tile::kTileM, F64Tile::kDepth, F64Tile::kThreads, kPer, false>;
};
template <int kPer>
struct F64Fill<kPer, true> {
    using Type = FillAsItLies<double, F64Tile::kTileM, F64Tile::kDepth, F64Tile::kThreads, kPer>;
};

template <int kPerA, bool kAlongKA, int kPerB, bool kAlongKB>
__global__ void __launch_bounds__(F64Tile::kThreads, 1) f64_tensor_cores(const Product<double> p, const StreamK plan) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    extern __shared__ double2 dynamic_doubles[];
    using FillA = typename F64Fill<kPerA, kAlongKA>::Type;
    using FillB = typename F64Fill<kPerB, kAlongKB>::Type;
    const int64_t a_by_row = kAlongKA ? p.a_by_row : 1, a_by_k = kAlongKA ? 1 : p.a_by_k;
    const int64_t b_by_column = kAlongKB ? p.b_by_column : 1, b_by_k = kAlongKB ? 1 : p.b_by_k;
    F64Block<FillA, FillB, F64Steps<kAlongKA>, F64Steps<kAlongKB>> block;
    Walk walk;
    walk.start(plan, blockIdx.x);
    for (Piece piece = walk.next(plan); piece.valid; piece = walk.next(plan)) {
        const PiecePlace<double, F64Tile> at(p, plan, piece);
        block.fill_a.start(threadIdx.x, p.a + at.matrix * p.stride_a + at.row * a_by_row + at.first_k * a_by_k,
                           a_by_row, a_by_k, p.m - at.row);
        block.fill_b.start(threadIdx.x, p.b + at.matrix * p.stride_b + at.column * b_by_column + at.first_k * b_by_k,
                           b_by_column, b_by_k, p.n - at.column);
        block.run(reinterpret_cast<double*>(dynamic_doubles), piece.end - piece.begin, at.first_depth, a_by_k, b_by_k);
        if (piece.begin == 0 && piece.end == plan.iterations) {
            block.store_all(p.c + at.matrix * p.stride_c + at.row * p.ldc + at.column, p.ldc, p.m - at.row,
                            p.n - at.column, p.alpha, p.beta);
        } else {
            double* partial = p.partial + partial_place(blockIdx.x, piece.begin) * F64Tile::kTileM * F64Tile::kTileN;
            block.store_all(partial, F64Tile::kTileN, F64Tile::kTileM, F64Tile::kTileN, plan.one, 0);
        }
        __syncthreads();  // the stages are free again
    }
#endif
}

}  // namespace tiles
