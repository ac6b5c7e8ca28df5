// What is done to a factor before a product that cannot read it as it lies: a copy with an aligned pitch.
//
// One idea: shift once, not in every tile. A warp reads whole 16-byte pieces from the address rounded down, passes
// neighbours by shuffles and writes shifted pieces. Guarantees: no element outside the matrix is used; bytes outside it
// are read only inside 16-byte pieces that lie between its first and last element. Columns from `columns` to the pitch
// stay unwritten.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace tiles {

struct RepitchArguments {
    const uint8_t* from;
    uint8_t* to;
    int64_t rows, row_bytes;          // per matrix
    int64_t from_pitch, from_stride;  // bytes
    int64_t to_pitch, to_stride;      // bytes, multiples of 16
    int64_t count = 0;                // matrices
};

struct RepitchPair {
    RepitchArguments jobs[2];
    int64_t first_blocks;  // blocks below this number do the first job
};

constexpr int kRepitchThreads = 256, kRepitchPieces = 4;  // pieces of 16 bytes per thread

// Whether every row, or element, lies on a multiple of 16 bytes decides nothing here: all cases take the same way.
__device__ __forceinline__ uint4 load_piece(const uint8_t* at, const uint8_t* first, const uint8_t* last) {
    if (at >= first && at + 16 <= last) return __ldcs(reinterpret_cast<const uint4*>(at));  // read once
    uint4 piece = make_uint4(0, 0, 0, 0);
    uint16_t* halves = reinterpret_cast<uint16_t*>(&piece);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const uint8_t* half = at + 2 * i;
        if (half >= first && half < last) halves[i] = *reinterpret_cast<const uint16_t*>(half);
    }
    return piece;
}

// 16 bytes from `shift` bytes into low, high.
__device__ __forceinline__ uint4 shifted(uint4 low, uint4 high, int shift) {
    if (shift & 8) low = make_uint4(low.z, low.w, high.x, high.y), high = make_uint4(high.z, high.w, 0, 0);
    if (shift & 4) low = make_uint4(low.y, low.z, low.w, high.x), high.x = high.y;
    if (shift & 2) {
        low = make_uint4(__funnelshift_r(low.x, low.y, 16), __funnelshift_r(low.y, low.z, 16),
                         __funnelshift_r(low.z, low.w, 16), __funnelshift_r(low.w, high.x, 16));
    }
    return low;
}

__device__ __forceinline__ void repitch_warp(const RepitchArguments& g, int64_t unit, int lane) {
    const int64_t row_pieces = (g.row_bytes + 15) / 16;
    const int64_t row_units = (row_pieces + 32 * kRepitchPieces - 1) / (32 * kRepitchPieces);
    const int64_t line = unit / row_units;
    if (line >= g.rows * g.count) return;
    const int64_t matrix = line / g.rows, row = line % g.rows;
    const uint8_t* first = g.from + matrix * g.from_stride;
    const uint8_t* last = first + (g.rows - 1) * g.from_pitch + g.row_bytes;
    const uint8_t* start = first + row * g.from_pitch;
    const int shift = static_cast<int>(reinterpret_cast<uintptr_t>(start) & 15);
    const uint8_t* from = start - shift;
    uint8_t* to = g.to + matrix * g.to_stride + row * g.to_pitch;
    const int64_t piece0 = unit % row_units * (32 * kRepitchPieces) + lane;
    uint4 low[kRepitchPieces], edge = make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int i = 0; i < kRepitchPieces; ++i) low[i] = load_piece(from + (piece0 + 32 * i) * 16, first, last);
    if (lane == 31) edge = load_piece(from + (piece0 + 32 * (kRepitchPieces - 1) + 1) * 16, first, last);
#pragma unroll
    for (int i = 0; i < kRepitchPieces; ++i) {
        // Lane 31's right neighbour is lane 0 of the next row of pieces.
        const uint4 wrap = i + 1 < kRepitchPieces ? low[i + 1] : edge;
        const uint4 give = lane == 0 && i + 1 < kRepitchPieces ? wrap : low[i];
        uint4 high;
        const int source = (lane + 1) % 32;
        high.x = __shfl_sync(~0u, give.x, source), high.y = __shfl_sync(~0u, give.y, source);
        high.z = __shfl_sync(~0u, give.z, source), high.w = __shfl_sync(~0u, give.w, source);
        if (i + 1 == kRepitchPieces && lane == 31) high = edge;
        const int64_t piece = piece0 + 32 * i;
        if (piece < row_pieces) *reinterpret_cast<uint4*>(to + piece * 16) = shifted(low[i], high, shift);
    }
}

__global__ void __launch_bounds__(kRepitchThreads) repitch(const RepitchPair pair) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");  // the product's blocks may come as these leave
#endif
    const bool second = blockIdx.x >= pair.first_blocks;
    const RepitchArguments& g = pair.jobs[second];
    const int64_t block = second ? blockIdx.x - pair.first_blocks : blockIdx.x;
    repitch_warp(g, block * (kRepitchThreads / 32) + threadIdx.x / 32, static_cast<int>(threadIdx.x) % 32);
}

inline int64_t repitch_blocks(const RepitchArguments& g) {
    const int64_t row_units = (g.row_bytes + 16 * 32 * kRepitchPieces - 1) / (16 * 32 * kRepitchPieces);
    return (row_units * g.rows * g.count + kRepitchThreads / 32 - 1) / (kRepitchThreads / 32);
}

}  // namespace tiles
