// How a block copies one operand's tiles of depth kDepth into shared memory, as [k][across], with cp.async.
//
// Owns: which thread copies what. Two ways: along `across` (the operand's rows lie along the tile: 16-byte copies if
// everything is aligned to them, else 4-byte ones) and along k (4-byte copies, which transpose on the way; lanes cover
// 8 k by 4 across, so that with a pitch of 4 mod 32 words they hit 32 different banks). Guarantees: nothing outside the
// operand is read: past the edge across, the last valid element is read again (its products are never stored); k that
// does not fill a tile is taken first and padded with zeros, so that all further tiles need no test at all.
#pragma once

#include <cstdint>

#include "tiles/kernels/copy_async.cuh"

namespace tiles {

// kFloats: 4 or 1 per copy. kAlongK: the operand is contiguous along k.
template <int kAcross, int kDepth, int kThreads, int kFloats, bool kAlongK>
struct Fill {
    static_assert(!kAlongK || kFloats == 1, "a transposing copy moves single floats");
    static constexpr int kPitch = kAcross + 4;
    static constexpr int kLanesAcross = kAlongK ? 4 * (kThreads / 32) : 0;
    static constexpr int kChunks = kAcross / kFloats;  // of one row of the tile, when copying along it
    static constexpr int kRowsAtOnce = kThreads >= kChunks ? kThreads / kChunks : 1;
    // Places across at which this thread copies, each with its own pointer, and copies at each place.
    static constexpr int kPlaces = kAlongK ? kAcross / kLanesAcross : (kChunks + kThreads - 1) / kThreads;
    static constexpr int kCopies = kAlongK ? kDepth / 8 : kDepth / kRowsAtOnce;
    static constexpr int kPieces = kPlaces * kCopies;
    static_assert(kAlongK ? kAcross % kLanesAcross == 0 && kDepth % 8 == 0
                          : (kThreads % kChunks == 0 || kChunks % kThreads == 0) && kDepth % kRowsAtOnce == 0,
                  "threads must cover the tile evenly");

    const float* from[kPlaces];
    int64_t step;  // elements from copy to copy at one place
    int first_k;   // of this thread's first copy
    uint32_t to;   // byte offset of this thread's first copy within a stage

    // `base`: the operand at the tile's first row or column and the block's first k; `extent`: valid elements across.
    __device__ void start(const float* base, int64_t by_across, int64_t by_k, int64_t extent) {
        const int thread = threadIdx.x;
        int across;
        if constexpr (kAlongK) {
            first_k = thread % 8;
            across = thread / 32 * 4 + thread % 32 / 8;
            step = 8;
        } else {
            first_k = thread / kChunks * (kThreads >= kChunks);
            across = thread % kChunks * kFloats;
            if (kThreads < kChunks) across = thread * kFloats;
            step = kRowsAtOnce * by_k;
        }
        to = (first_k * kPitch + across) * 4;
#pragma unroll
        for (int place = 0; place < kPlaces; ++place) {
            int64_t x = across + place * kStepAcross;
            if (x > extent - kFloats) x = extent - kFloats;
            from[place] = base + x * by_across + first_k * by_k;
        }
    }

    static constexpr int kStepAcross = kAlongK ? kLanesAcross : kThreads * kFloats;

    __host__ __device__ static constexpr int piece_offset(int piece) {
        const int place = piece / kCopies, copy = piece % kCopies;
        return (copy * (kAlongK ? 8 : kRowsAtOnce) * kPitch + place * kStepAcross) * 4;
    }

    // One of the kPieces copies of a full tile. Pieces are issued in order: each moves the pointer on.
    template <int kPiece>
    __device__ void copy(uint32_t stage) {
        constexpr int place = kPiece / kCopies, copy = kPiece % kCopies;
        if constexpr (kAlongK) {
            copy_async<4>(stage + to + piece_offset(kPiece), from[place] + copy * 8);
            if constexpr (copy == kCopies - 1) from[place] += kDepth;
        } else {
            copy_async<kFloats * 4>(stage + to + piece_offset(kPiece), from[place]);
            from[place] += step;
        }
    }

    // The first tile, of which only `valid` k exist; afterwards the pointers stand `valid` further.
    __device__ void copy_first(uint32_t stage, int valid, int64_t by_k) {
#pragma unroll
        for (int piece = 0; piece < kPieces; ++piece) {
            const int place = piece / kCopies, copy = piece % kCopies;
            const int k = first_k + copy * (kAlongK ? 8 : kRowsAtOnce);
            const float* source = from[place] + copy * step;
            copy_async_or_zero<kFloats * 4>(stage + to + piece_offset(piece),
                                            k < valid ? source : from[place] - first_k * by_k, k < valid);
        }
#pragma unroll
        for (int place = 0; place < kPlaces; ++place) from[place] += valid * by_k;
    }
};

}  // namespace tiles
