// How a block copies one operand's tiles of depth kDepth into shared memory, as [k][across], with cp.async.
//
// Owns: which thread copies what. Two ways: along `across` (the operand's rows lie along the tile: 16-byte copies if
// everything is aligned to them, else element by element) and along k (element by element, which transposes on the way;
// lanes cover a sector of k, and with a pitch of 4 elements past a multiple of 32 they hit different banks).
// Guarantees: nothing outside the operand is read: past the edge across, the last valid element is read again (its
// products are never stored); k that does not fill a tile is taken first and padded with zeros, so that all further
// tiles need no test at all.
#pragma once

#include <cstdint>

#include "tiles/kernels/copy_async.cuh"

namespace tiles {

// kPer: elements per copy. kAlongK: the operand is contiguous along k.
template <typename T, int kAcross, int kDepth, int kThreads, int kPer, bool kAlongK>
struct Fill {
    static_assert(!kAlongK || kPer == 1, "a transposing copy moves single elements");
    static constexpr int kPitch = kAcross + 4;
    static constexpr int kBytes = kPer * static_cast<int>(sizeof(T));
    static constexpr int kLanesK = 32 / static_cast<int>(sizeof(T));  // a sector
    static constexpr int kLanesAcross = kAlongK ? 32 / kLanesK * (kThreads / 32) : 0;
    static constexpr int kChunks = kAcross / kPer;  // of one row of the tile, when copying along it
    static constexpr int kRowsAtOnce = kThreads >= kChunks ? kThreads / kChunks : 1;
    // Places across at which this thread copies, each with its own pointer, and copies at each place.
    static constexpr int kPlaces = kAlongK ? kAcross / kLanesAcross : (kChunks + kThreads - 1) / kThreads;
    static constexpr int kCopies = kAlongK ? kDepth / kLanesK : kDepth / kRowsAtOnce;
    static constexpr int kPieces = kPlaces * kCopies;
    static_assert(kAlongK ? kAcross % kLanesAcross == 0 && kDepth % kLanesK == 0
                          : (kThreads % kChunks == 0 || kChunks % kThreads == 0) && kDepth % kRowsAtOnce == 0,
                  "threads must cover the tile evenly");

    const T* from[kPlaces];
    int64_t step;  // elements from copy to copy at one place
    int first_k;   // of this thread's first copy
    uint32_t to;   // byte offset of this thread's first copy within a stage

    // `base`: the operand at the tile's first row or column and the block's first k; `extent`: valid elements across;
    // `thread`: of the kThreads that fill.
    __device__ void start(int thread, const T* base, int64_t by_across, int64_t by_k, int64_t extent) {
        int across;
        if constexpr (kAlongK) {
            first_k = thread % kLanesK;
            across = thread / 32 * (32 / kLanesK) + thread % 32 / kLanesK;
            step = kLanesK;
        } else {
            first_k = thread / kChunks * (kThreads >= kChunks);
            across = thread % kChunks * kPer;
            if (kThreads < kChunks) across = thread * kPer;
            step = kRowsAtOnce * by_k;
        }
        to = (first_k * kPitch + across) * static_cast<int>(sizeof(T));
#pragma unroll
        for (int place = 0; place < kPlaces; ++place) {
            int64_t x = across + place * kStepAcross;
            if (x > extent - kPer) x = extent - kPer;
            from[place] = base + x * by_across + first_k * by_k;
        }
    }

    static constexpr int kStepAcross = kAlongK ? kLanesAcross : kThreads * kPer;

    __host__ __device__ static constexpr int piece_offset(int piece) {
        const int place = piece / kCopies, copy = piece % kCopies;
        return (copy * (kAlongK ? kLanesK : kRowsAtOnce) * kPitch + place * kStepAcross) * static_cast<int>(sizeof(T));
    }

    // One of the kPieces copies of a full tile. Pieces are issued in order: each moves the pointer on.
    template <int kPiece>
    __device__ void copy(uint32_t stage) {
        constexpr int place = kPiece / kCopies, copy = kPiece % kCopies;
        if constexpr (kAlongK) {
            copy_async<kBytes>(stage + to + piece_offset(kPiece), from[place] + copy * kLanesK);
            if constexpr (copy == kCopies - 1) from[place] += kDepth;
        } else {
            copy_async<kBytes>(stage + to + piece_offset(kPiece), from[place]);
            from[place] += step;
        }
    }

    // The first tile, of which only `valid` k exist; afterwards the pointers stand `valid` further.
    __device__ void copy_first(uint32_t stage, int valid, int64_t by_k) {
#pragma unroll
        for (int piece = 0; piece < kPieces; ++piece) {
            const int place = piece / kCopies, copy = piece % kCopies;
            const int k = first_k + copy * (kAlongK ? kLanesK : kRowsAtOnce);
            const T* source = from[place] + copy * step;
            copy_async_or_zero<kBytes>(stage + to + piece_offset(piece),
                                       k < valid ? source : from[place] - first_k * by_k, k < valid);
        }
#pragma unroll
        for (int place = 0; place < kPlaces; ++place) from[place] += valid * by_k;
    }
};

// The other way to take an operand that lies along k: as it lies, rows of [across][k] with a pitch of kDepth + 4
// elements, 16 bytes at a time where k, the rows and the pointer allow it. For fragments that are read element by
// element.
template <typename T, int kAcross, int kDepth, int kThreads, int kPer>
struct FillAsItLies {
    static constexpr int kPitch = kDepth + 4, kBytes = kPer * static_cast<int>(sizeof(T));
    static constexpr int kRowsAtOnce = kThreads * kPer / kDepth, kPieces = kAcross / kRowsAtOnce;
    static_assert(kThreads * kPer % kDepth == 0 && kAcross % kRowsAtOnce == 0, "threads must cover the tile evenly");

    const T* from;      // this thread's first copy
    int64_t step;       // elements from copy to copy
    int last, first_k;  // copies past `last` read it again: they lie past the edge
    uint32_t to;

    __device__ void start(int thread, const T* base, int64_t by_across, int64_t, int64_t extent) {
        const int row = thread * kPer / kDepth;
        first_k = thread * kPer % kDepth;
        to = (row * kPitch + first_k) * static_cast<int>(sizeof(T));
        from = base + (row < extent ? row * by_across : 0) + first_k;
        step = kRowsAtOnce * by_across;
        last = row < extent
                   ? static_cast<int>(extent - 1 - row < kAcross ? (extent - 1 - row) / kRowsAtOnce : kPieces - 1)
                   : 0;
    }

    template <int kPiece>
    __device__ void copy(uint32_t stage) {
        const int row = kPiece < last ? kPiece : last;
        copy_async<kBytes>(stage + to + kPiece * kRowsAtOnce * kPitch * static_cast<int>(sizeof(T)), from + row * step);
        if constexpr (kPiece == kPieces - 1) from += kDepth;
    }

    __device__ void copy_first(uint32_t stage, int valid, int64_t) {
#pragma unroll
        for (int piece = 0; piece < kPieces; ++piece) {
            const T* source = from + (piece < last ? piece : last) * step;
            copy_async_or_zero<kBytes>(stage + to + piece * kRowsAtOnce * kPitch * static_cast<int>(sizeof(T)),
                                       first_k < valid ? source : from - first_k, first_k < valid);
        }
        from += valid;
    }
};

}  // namespace tiles
