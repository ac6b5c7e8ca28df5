// Splitting fp32 factors into two tf32 numbers inside a product: B's in registers, A's in shared memory.
//
// One idea: the common case costs four instructions an element. A number that rounds to tf32 without overflow is split
// by an add, a mask and a subtraction; what is left over, 12 bits and a sign, needs no rounding: the tensor cores cut
// off its last bit, which rounding would move as far. If one of the numbers that a thread has at hand is an infinity,
// a NaN or next to one, all of them go the long way (tf32.cuh). Guarantees: as split_to_tf32, up to that bit in
// registers, up to two bits in shared memory.
#pragma once

#include "tiles/kernels/hopper_ptx.cuh"
#include "tiles/kernels/tf32.cuh"

namespace tiles::hopper {

// `high` holds fp32 numbers before and their high halves afterwards. One comparison asks after all of them: a sum of
// sizes that is too large only sends them the long way for nothing.
template <int kFours>
__device__ __forceinline__ void split_all(uint32_t (&high)[kFours][4], uint32_t (&low)[kFours][4]) {
    float x[kFours][4], size[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < kFours * 4; ++i) {
        const float word = x[i / 4][i % 4] = __uint_as_float(high[i / 4][i % 4]);
        size[i % 4] = i < 4 ? fabsf(word) : size[i % 4] + fabsf(word);
        high[i / 4][i % 4] = rounded_bits(word);
        low[i / 4][i % 4] = __float_as_uint(word - __uint_as_float(high[i / 4][i % 4]));
    }
    if (rounds_to_tf32((size[0] + size[1]) + (size[2] + size[3]))) return;
#pragma unroll
    for (int i = 0; i < kFours * 4; ++i) split_to_tf32(x[i / 4][i % 4], high[i / 4][i % 4], low[i / 4][i % 4]);
}

__device__ __forceinline__ void load_shared_four(uint32_t (&x)[4], uint32_t from) {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(from)
                 : "memory");
}

__device__ __forceinline__ void store_shared_four(uint32_t to, const uint32_t (&x)[4]) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])
                 : "memory");
}

// Puts the low halves of `kBytes` of fp32 at `tile` behind them. The numbers themselves serve as high halves, cut off
// by the tensor cores instead of rounded: writing those, too, would take shared memory's time. What is left over then
// has 13 bits and is rounded to 11. The first of kThreads threads have a piece of 16 bytes more than the others, if
// they must. The order within the tile does not matter.
template <int kBytes, int kThreads>
__device__ __forceinline__ void split_tile(uint32_t tile, int thread) {
    constexpr int kPieces = kBytes / 16, kAll = kPieces / kThreads, kMore = kPieces % kThreads;
    constexpr int kMax = kMore > 0 ? kAll + 1 : kAll;
    const uint32_t first = tile + thread * 16;
    const int pieces = thread < kMore ? kAll + 1 : kAll;
    uint32_t x[kMax][4] = {}, low[kMax][4];
#pragma unroll
    for (int i = 0; i < kMax; ++i)
        if (i < pieces) load_shared_four(x[i], first + i * kThreads * 16);
    float size[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < kMax * 4; ++i) {
        const uint32_t word = x[i / 4][i % 4];
        size[i % 4] += fabsf(__uint_as_float(word));
        low[i / 4][i % 4] = rounded_bits(__uint_as_float(word) - __uint_as_float(word & 0xffffe000u));
    }
    if (!rounds_to_tf32((size[0] + size[1]) + (size[2] + size[3]))) {
#pragma unroll
        for (int i = 0; i < kMax; ++i) {
#pragma unroll
            for (int j = 0; j < 4; ++j) split_to_tf32(__uint_as_float(x[i][j]), x[i][j], low[i][j]);
            if (i < pieces) store_shared_four(first + i * kThreads * 16, x[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < kMax; ++i)
        if (i < pieces) store_shared_four(first + i * kThreads * 16 + kBytes, low[i]);
}

}  // namespace tiles::hopper
