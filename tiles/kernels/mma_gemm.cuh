// bf16, f16, tf32 and fp32-accurate products on the tensor cores of compute capability 8.0 and later, by mma.sync.
//
// One idea: a warp multiplies 16 x 8 x 16 in one instruction. Shared tiles and the cp.async pipeline are the fp32
// rungs'; what changes is who multiplies. fp32 accuracy: both factors are split into two tf32 numbers in registers,
// three products are added per step, and each tile's sums, which the tensor cores truncate, are added to the totals by
// rounding fp32 adds. Guarantees: any m, n, k, pitch and alignment; nothing outside the matrices is read or written.
// Factors that are not on 16-byte boundaries are fetched in smaller pieces.
#pragma once

#include "tiles/kernels/mma_fragments.cuh"
#include "tiles/kernels/tf32.cuh"

namespace tiles::mma {

struct Factor {
    const void* base;
    int64_t pitch, stride;  // elements
    bool wide;              // base, pitch and stride are multiples of 16 bytes
};

struct Arguments {
    Factor a, b;
    void* c;
    int64_t m, n, k, ldc, stride_c;
    int k_blocks, parts;
    int tiles_m, tiles_n, raster;
    int out;  // 0 fp32, 1 bf16, 2 f16
    float alpha, beta;
};

template <class Element_, bool kThree_, bool kATransposed_, bool kBTransposed_>
struct Shape {
    using Element = Element_;
    static constexpr bool kThree = kThree_;
    // A warp's tile is 64 x kWarpN.
    static constexpr int kM = 128, kN = 128, kWarpN = 32, kThreads = 64 * (kN / kWarpN), kStages = 3;
    static constexpr int kBytes = Mma<Element>::kBytes, kK = 64 / kBytes;
    // Padding: eight rows of 16 bytes, or four of four words, must fall into different banks.
    static constexpr int kLongPitch = 64 + 16, kWidePitch = 128 * kBytes + (kBytes == 2 ? 16 : 32);
    using A = Tile<kBytes, !kATransposed_, kATransposed_ ? kWidePitch : kLongPitch>;
    using B = Tile<kBytes, kBTransposed_, kBTransposed_ ? kLongPitch : kWidePitch>;
    static constexpr int kABytes = A::kLong ? kM * kLongPitch : kK * kWidePitch;
    static constexpr int kBBytes = B::kLong ? kN * kLongPitch : kK * kWidePitch;
    static constexpr int kStageBytes = kABytes + kBBytes, kSharedBytes = kStages * kStageBytes;
};

// 16 bytes of which the first `valid` elements exist; the others become zero.
template <int kBytes>
__device__ __forceinline__ void fetch_piece(uint32_t to, const char* from, const char* base, int valid, bool wide) {
    if (wide) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(valid > 0 ? from : base),
                     "r"(valid * kBytes)
                     : "memory");
    } else if constexpr (kBytes == 4) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to + 4 * i),
                         "l"(i < valid ? from + 4 * i : base), "r"(i < valid ? 4 : 0)
                         : "memory");
        }
    } else {
        uint32_t word[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            if (i < valid) word[i / 2] |= uint32_t{*reinterpret_cast<const uint16_t*>(from + 2 * i)} << (i % 2 * 16);
        }
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(word[0]), "r"(word[1]), "r"(word[2]),
                     "r"(word[3])
                     : "memory");
    }
}

// One tile of a factor: kLines rows of kPieces 16-byte pieces.
template <int kThreads, int kBytes, int kLines, int kPieces, int kPitch>
__device__ __forceinline__ void fetch_tile(uint32_t to, const Factor& f, int64_t matrix, int64_t line0, int64_t lines,
                                           int64_t column0, int64_t columns) {
    constexpr int kElements = 16 / kBytes;
    const char* base = static_cast<const char*>(f.base) + matrix * f.stride * kBytes;
#pragma unroll
    for (int i = 0; i < kLines * kPieces / kThreads; ++i) {
        const int index = i * kThreads + static_cast<int>(threadIdx.x);
        const int64_t line = line0 + index / kPieces, column = column0 + index % kPieces * kElements;
        const int64_t left = line < lines ? columns - column : 0;
        const int valid = left >= kElements ? kElements : left > 0 ? static_cast<int>(left) : 0;
        fetch_piece<kBytes>(to + index / kPieces * kPitch + index % kPieces * 16,
                            base + (line * f.pitch + column) * kBytes, base, valid, f.wide);
    }
}

struct Where {
    int64_t m0, n0, matrix;
    int first, last;  // blocks of k
    int64_t k_end;
};

// One factor's tiles, as this block fetches them: `line` counts along m or n, in one of the two directions of the tile.
template <class S, class T>
struct Fetcher {
    static constexpr int kElements = 16 / S::kBytes;
    static constexpr int kLines = T::kLong ? 128 : S::kK, kPieces = (T::kLong ? 64 : 128 * S::kBytes) / 16;
    static constexpr int kTurns = kLines * kPieces / S::kThreads, kLinesPerTurn = S::kThreads / kPieces;
    const char* from;     // this thread's first piece of block 0
    int64_t turn, block;  // bytes from turn to turn, from block to block of k
    uint32_t to;
    bool whole;  // 128 lines exist and pieces are aligned: only the last block of k needs care

    __device__ __forceinline__ void set(const Factor& f, int64_t matrix, int64_t line0, int64_t lines) {
        const int thread = static_cast<int>(threadIdx.x), row = thread / kPieces, piece = thread % kPieces;
        const int64_t start = T::kLong ? (line0 + row) * f.pitch : row * f.pitch + line0;
        from = static_cast<const char*>(f.base) + (matrix * f.stride + start + piece * kElements) * S::kBytes;
        turn = f.pitch * kLinesPerTurn * S::kBytes;
        block = T::kLong ? 64 : f.pitch * S::kK * S::kBytes;
        to = row * T::kPitch + piece * 16;
        whole = f.wide && line0 + 128 <= lines;
    }

    __device__ __forceinline__ void fetch_whole(uint32_t tile, int k_block) const {
        const char* source = from + k_block * block;
#pragma unroll
        for (int i = 0; i < kTurns; ++i) {
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(tile + to + i * kLinesPerTurn * T::kPitch),
                         "l"(source + i * turn)
                         : "memory");
        }
    }

    __device__ __forceinline__ void fetch(uint32_t tile, const Factor& f, int64_t matrix, int64_t line0, int64_t lines,
                                          int k_block, int64_t k_end) const {
        const int64_t k0 = int64_t{1} * k_block * S::kK;
        if (whole && k0 + S::kK <= k_end) return fetch_whole(tile, k_block);
        if constexpr (T::kLong)
            fetch_tile<S::kThreads, S::kBytes, kLines, kPieces, T::kPitch>(tile, f, matrix, line0, lines, k0, k_end);
        else
            fetch_tile<S::kThreads, S::kBytes, kLines, kPieces, T::kPitch>(tile, f, matrix, k0, k_end, line0, lines);
    }
};

template <class S>
struct Fetchers {
    Fetcher<S, typename S::A> a;
    Fetcher<S, typename S::B> b;

    __device__ __forceinline__ void set(const Arguments& g, const Where& at) {
        a.set(g.a, at.matrix, at.m0, g.m);
        b.set(g.b, at.matrix, at.n0, g.n);
    }

    __device__ __forceinline__ void fetch(const Arguments& g, const Where& at, uint32_t stage, int block) const {
        a.fetch(stage, g.a, at.matrix, at.m0, g.m, block, at.k_end);
        b.fetch(stage + S::kABytes, g.b, at.matrix, at.n0, g.n, block, at.k_end);
    }
};

// kThree: into `high` and `low`; otherwise `high` is rounded.
template <bool kThree, int kCount>
__device__ __forceinline__ void take_tf32(uint32_t (&high)[kCount], uint32_t (&low)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
        const float x = __uint_as_float(high[i]);
        if constexpr (kThree)
            split_to_tf32(x, high[i], low[i]);
        else
            high[i] = round_to_tf32(x);
    }
}

template <class S>
__device__ __forceinline__ void multiply_step(float (&sums)[4][S::kWarpN / 8][4], uint32_t a_tile, uint32_t b_tile,
                                              int row, int column, int k, int lane) {
    using Multiply = Mma<typename S::Element>;
    constexpr int kPairs = S::kWarpN / 16;
    uint32_t a[4][4], b[kPairs][2][2], a_low[4][4], b_low[kPairs][2][2];
#pragma unroll
    for (int i = 0; i < 4; ++i) load_left<typename S::A>(a[i], a_tile, row + 16 * i, k, lane);
#pragma unroll
    for (int j = 0; j < kPairs; ++j) load_right<typename S::B>(b[j], b_tile, column + 16 * j, k, lane);
    if constexpr (S::kBytes == 4) {
#pragma unroll
        for (int i = 0; i < 4; ++i) take_tf32<S::kThree>(a[i], a_low[i]);
#pragma unroll
        for (int j = 0; j < 2 * kPairs; ++j) take_tf32<S::kThree>(b[j / 2][j % 2], b_low[j / 2][j % 2]);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 2 * kPairs; ++j) {
            if constexpr (S::kThree) {  // the small ones first
                Multiply::multiply(sums[i][j], a_low[i], b[j / 2][j % 2]);
                Multiply::multiply(sums[i][j], a[i], b_low[j / 2][j % 2]);
            }
            Multiply::multiply(sums[i][j], a[i], b[j / 2][j % 2]);
        }
    }
}

__device__ __forceinline__ void put(const Arguments& g, int64_t at, float sum) {
    float value = g.alpha * sum;
    if (g.out == 0) {
        float* c = static_cast<float*>(g.c) + at;
        *c = g.beta == 0 ? value : value + g.beta * *c;
    } else if (g.out == 1) {
        __nv_bfloat16* c = static_cast<__nv_bfloat16*>(g.c) + at;
        *c = __float2bfloat16(g.beta == 0 ? value : value + g.beta * __bfloat162float(*c));
    } else {
        __half* c = static_cast<__half*>(g.c) + at;
        *c = __float2half(g.beta == 0 ? value : value + g.beta * __half2float(*c));
    }
}

template <class S>
__device__ __forceinline__ Where where(const Arguments& g) {
    const int band = static_cast<int>(blockIdx.x) / (g.raster * g.tiles_n), first = band * g.raster;
    const int rows = min(g.raster, g.tiles_m - first), within = static_cast<int>(blockIdx.x) - first * g.tiles_n;
    const int part = static_cast<int>(blockIdx.y);
    Where at;
    at.m0 = int64_t{1} * (first + within % rows) * S::kM, at.n0 = int64_t{1} * (within / rows) * S::kN;
    at.matrix = blockIdx.z;
    at.first = static_cast<int>(int64_t{1} * g.k_blocks * part / g.parts);
    at.last = static_cast<int>(int64_t{1} * g.k_blocks * (part + 1) / g.parts);
    at.k_end = min(g.k, int64_t{1} * at.last * S::kK);
    return at;
}

template <class S>
__device__ __forceinline__ void store(const Arguments& g, const Where& at, const float (&sums)[4][S::kWarpN / 8][4],
                                      int row, int column) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int64_t plane = (at.matrix * g.parts + blockIdx.y) * g.stride_c;
    constexpr int kTiles = S::kWarpN / 8;
#pragma unroll
    for (int i = 0; i < 16 * kTiles; ++i) {
        const int down = i / (4 * kTiles), across = i / 4 % kTiles;
        const int64_t y = at.m0 + row + down * 16 + lane / 4 + i / 2 % 2 * 8;
        const int64_t x = at.n0 + column + across * 8 + lane % 4 * 2 + i % 2;
        if (y < g.m && x < g.n) put(g, plane + y * g.ldc + x, sums[down][across][i % 4]);
    }
}

template <int kTiles>
__device__ __forceinline__ void clear(float (&sums)[4][kTiles][4]) {
#pragma unroll
    for (int i = 0; i < 16 * kTiles; ++i) sums[i / (4 * kTiles)][i / 4 % kTiles][i % 4] = 0;
}

template <class S>
__global__ void __launch_bounds__(S::kThreads, S::kThree ? 1 : 2) gemm(const Arguments g) {
#if __CUDA_ARCH__ >= 800
    extern __shared__ __align__(16) uint8_t ring_memory[];
    const uint32_t ring = shared_address(ring_memory);
    const Where at = where<S>(g);
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    constexpr int kAcross = S::kN / S::kWarpN, kTiles = S::kWarpN / 8;
    const int row = warp / kAcross * 64, column = warp % kAcross * S::kWarpN;
    float totals[4][kTiles][4], sums[4][kTiles][4];
    clear(totals);
    Fetchers<S> fetchers;
    fetchers.set(g, at);
#pragma unroll
    for (int s = 0; s < S::kStages - 1; ++s) {
        if (at.first + s < at.last) fetchers.fetch(g, at, ring + s * S::kStageBytes, at.first + s);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    int stage = 0, next = S::kStages - 1;
    for (int block = at.first; block < at.last; ++block) {
        asm volatile("cp.async.wait_group %0;" ::"n"(S::kStages - 2) : "memory");
        __syncthreads();  // this stage has arrived for all, and all are done with the one that is filled next
        if (block + S::kStages - 1 < at.last)
            fetchers.fetch(g, at, ring + next * S::kStageBytes, block + S::kStages - 1);
        asm volatile("cp.async.commit_group;" ::: "memory");
        const uint32_t a = ring + stage * S::kStageBytes, b = a + S::kABytes;
        if constexpr (S::kThree) clear(sums);
#pragma unroll
        for (int k = 0; k < S::kK; k += Mma<typename S::Element>::kDepth)
            multiply_step<S>(S::kThree ? sums : totals, a, b, row, column, k, lane);
        if constexpr (S::kThree) {
#pragma unroll
            for (int i = 0; i < 16 * kTiles; ++i)
                totals[i / (4 * kTiles)][i / 4 % kTiles][i % 4] += sums[i / (4 * kTiles)][i / 4 % kTiles][i % 4];
        }
        stage = stage + 1 == S::kStages ? 0 : stage + 1, next = next + 1 == S::kStages ? 0 : next + 1;
    }
    store<S>(g, at, totals, row, column);
#endif
}

}  // namespace tiles::mma
