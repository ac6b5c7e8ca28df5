// Stream-K: the k iterations of all tiles as one long list that is dealt out evenly, so that no SM is idle in the last
// wave.
//
// Owns: who multiplies what. Whole waves of tiles go round the blocks one tile each; what is left (between one and two
// waves) is cut into ranges of iterations of equal length. A block's range holds at most one tile whose beginning it
// lacks and one whose end it lacks; those sums go to the block's two places in the workspace, and add_stream_k adds
// them up in the order of k: the same bits every time, and no block waits for another.
#pragma once

#include <cstdint>

#include "tiles/kernels/dependent_launch.cuh"
#include "tiles/kernels/product.cuh"

namespace tiles {

// Of numbers >= 0. Most fit 32 bits, which is several times faster, and blocks begin with it.
__host__ __device__ inline int64_t quotient(int64_t a, int64_t b) {
    return (a | b) >> 32 == 0 ? static_cast<int64_t>(static_cast<uint32_t>(a) / static_cast<uint32_t>(b)) : a / b;
}

struct StreamK {
    int64_t whole_tiles;  // dealt out one by one: tile t to block t mod blocks
    int64_t tiles;        // all of them, of all matrices
    int iterations;       // of one tile
    int blocks, sharers;  // sharers: blocks that take part in the cut rest
    int64_t share;        // iterations of the rest that each of them has
    int longer;           // of them, the first, that have one more
    // 1, but unknown to the compiler. Partial sums times 1 are stored from other registers than they are summed in;
    // stored as they are, their float4 groups would tie the sums to the register banks of the factors, and FMA would
    // stall.
    float one;

    // Once the rest, the iterations and the sharers are known.
    void deal_out() {
        const int64_t all = (tiles - whole_tiles) * iterations;
        share = all / sharers, longer = static_cast<int>(all % sharers);
    }
    __host__ __device__ int64_t range_begin(int64_t block) const {
        return share * block + (block < longer ? block : longer);
    }
    // The block whose range holds `iteration` of the rest.
    __host__ __device__ int64_t owner(int64_t iteration) const {
        const int64_t of_longer = (share + 1) * longer;
        return iteration < of_longer ? quotient(iteration, share + 1) : longer + quotient(iteration - of_longer, share);
    }
};

// One piece of work: iterations [begin, end) of a tile.
struct Piece {
    int64_t tile;
    int begin, end;
    bool valid;
};

// Walks a block's pieces.
struct Walk {
    int64_t next_tile;      // among the whole ones
    int64_t position, end;  // in the cut rest

    __device__ void start(const StreamK& plan, int block) {
        next_tile = block;
        position = end = 0;
        if (plan.whole_tiles < plan.tiles && block < plan.sharers) {
            position = plan.range_begin(block), end = plan.range_begin(block + 1);
        }
    }
    __device__ Piece next(const StreamK& plan) {
        if (next_tile < plan.whole_tiles) {
            const Piece piece = {next_tile, 0, plan.iterations, true};
            next_tile += plan.blocks;
            return piece;
        }
        if (position >= end) return {0, 0, 0, false};
        const int64_t tile = quotient(position, plan.iterations);
        const int begin = static_cast<int>(position - tile * plan.iterations);
        const int64_t left = end - position;
        const int stop = left < plan.iterations - begin ? begin + static_cast<int>(left) : plan.iterations;
        position += stop - begin;
        return {plan.whole_tiles + tile, begin, stop, true};
    }
};

// A block's places in the workspace: 0 for the tile whose beginning it lacks, 1 for the one whose end it lacks.
__host__ __device__ inline int64_t partial_place(int64_t block, int begin) { return 2 * block + (begin == 0 ? 1 : 0); }

// Where a piece lies.
template <typename T, typename Tile>
struct PiecePlace {
    int64_t matrix, row, column, first_k;
    int first_depth;  // of the piece's first tile: what does not fill one comes first

    __device__ PiecePlace(const Product<T>& p, const StreamK& plan, const Piece& piece) {
        const int per_matrix = p.tiles_m * p.tiles_n;
        matrix = quotient(piece.tile, per_matrix);
        const TilePlace place =
            tile_place(static_cast<int>(piece.tile - matrix * per_matrix), p.tiles_m, p.tiles_n, p.raster);
        row = static_cast<int64_t>(place.row) * Tile::kTileM,
        column = static_cast<int64_t>(place.column) * Tile::kTileN;
        const int rest = static_cast<int>(p.k - static_cast<int64_t>(plan.iterations - 1) * Tile::kDepth);
        first_k = piece.begin == 0 ? 0 : rest + static_cast<int64_t>(piece.begin - 1) * Tile::kDepth;
        first_depth = piece.begin == 0 ? rest : Tile::kDepth;
    }
};

// Where a cut tile lies and which blocks have parts of it.
template <typename T, int kTileM, int kTileN>
struct CutTile {
    static constexpr int64_t kSize = static_cast<int64_t>(kTileM) * kTileN;
    int64_t first, last, matrix, row, column;

    __device__ CutTile(const Product<T>& p, const StreamK& plan, int which) {
        const int64_t from = static_cast<int64_t>(which) * plan.iterations;
        first = plan.owner(from), last = plan.owner(from + plan.iterations - 1);
        const int per_matrix = p.tiles_m * p.tiles_n;
        const int64_t tile = plan.whole_tiles + which;
        matrix = quotient(tile, per_matrix);
        const TilePlace place =
            tile_place(static_cast<int>(tile - matrix * per_matrix), p.tiles_m, p.tiles_n, p.raster);
        row = static_cast<int64_t>(place.row) * kTileM, column = static_cast<int64_t>(place.column) * kTileN;
    }

    // Part `index` of the tile: its first block has the beginning and lacks the end, the others began with this tile.
    __device__ const T* part(const Product<T>& p, int64_t block) const {
        return p.partial + partial_place(block, block == first ? 0 : 1) * kSize;
    }

    __device__ void put(const Product<T>& p, int place, T sum) const {
        const int64_t i = row + place / kTileN, j = column + place % kTileN;
        if (i < p.m && j < p.n) store(p.c + matrix * p.stride_c + i * p.ldc + j, sum, p.alpha, p.beta);
    }
};

template <typename T>
struct alignas(16) FourSums {
    T values[4];

    __device__ void add(const FourSums& more) {
#pragma unroll
        for (int i = 0; i < 4; ++i) values[i] += more.values[i];
    }
};

// Adds up the tiles that several blocks share, in the order of k. blockIdx.x: the tile among the cut ones; blockIdx.y:
// its stretches of 1024 results, each gridDim.y after the one before. Blocks of 256 threads; a thread owns four results
// of a stretch.
template <typename T, int kTileM, int kTileN>
__global__ void __launch_bounds__(256) add_stream_k(const Product<T> p, const StreamK plan) {
    using Four = FourSums<T>;
    using Cut = CutTile<T, kTileM, kTileN>;
    const Cut tile(p, plan, blockIdx.x);
    wait_for_earlier_kernels();
    if (tile.first == tile.last) return;  // its block stored it
    for (int place = (blockIdx.y * 256 + threadIdx.x) * 4; place < Cut::kSize; place += gridDim.y * 1024) {
        Four sums = *reinterpret_cast<const Four*>(tile.part(p, tile.first) + place);
        const T* part = tile.part(p, tile.first + 1) + place;
#pragma unroll 4
        for (int parts = static_cast<int>(tile.last - tile.first); parts > 0; --parts) {
            sums.add(*reinterpret_cast<const Four*>(part));
            part += 2 * Cut::kSize;  // the next block's
        }
        const int64_t row = tile.row + place / kTileN, column = tile.column + place % kTileN;
        if (row >= p.m) break;
        T* to = p.c + tile.matrix * p.stride_c + row * p.ldc + column;
        if (column + 4 <= p.n && p.beta == T(0) && reinterpret_cast<uintptr_t>(to) % 16 == 0) {
            for (T& sum : sums.values) sum *= p.alpha;
            *reinterpret_cast<Four*>(to) = sums;
        } else {
            for (int i = 0; i < 4; ++i) {
                if (column + i < p.n) store(to + i, sums.values[i], p.alpha, p.beta);
            }
        }
    }
}

// The same for tiles that very many blocks share: each lane owns four results, each warp adds up every 32nd part of
// them, all of which it asks for at once. The order is fixed here, too. blockIdx.y: a stretch of kAddedTogether
// results.
constexpr int kAddingWarps = 32, kAddedTogether = 128;

template <typename T, int kTileM, int kTileN>
__global__ void __launch_bounds__(32 * kAddingWarps) add_many_parts(const Product<T> p, const StreamK plan) {
    using Four = FourSums<T>;
    constexpr int kAtOnce = 5;
    __shared__ Four of_warp[kAddingWarps][kAddedTogether / 4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first_place = blockIdx.y * kAddedTogether;
    const CutTile<T, kTileM, kTileN> tile(p, plan, blockIdx.x);
    wait_for_earlier_kernels();
    if (tile.first == tile.last) return;
    Four sums = {};
    for (int64_t block = tile.first + warp; block <= tile.last; block += kAtOnce * kAddingWarps) {
        Four parts[kAtOnce] = {};
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            const int64_t one = block + i * kAddingWarps;
            if (one > tile.last) continue;
            parts[i] = *reinterpret_cast<const Four*>(tile.part(p, one) + first_place + lane * 4);
        }
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) sums.add(parts[i]);
    }
    of_warp[warp][lane] = sums;
    __syncthreads();
    if (threadIdx.x >= kAddedTogether) return;
    T sum = 0;
#pragma unroll
    for (int one = 0; one < kAddingWarps; ++one) sum += of_warp[one][threadIdx.x / 4].values[threadIdx.x % 4];
    tile.put(p, first_place + static_cast<int>(threadIdx.x), sum);
}

}  // namespace tiles
