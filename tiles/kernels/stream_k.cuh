// Stream-K: the k iterations of all tiles as one long list that is dealt out evenly, so that no SM is idle in the last
// wave.
//
// Owns: who multiplies what. Whole waves of tiles go round the blocks one tile each; what is left (between one and two
// waves) is cut into ranges of iterations of equal length. A block's range holds at most one tile whose beginning it
// lacks and one whose end it lacks; those sums go to the block's two places in the workspace, and add_stream_k adds
// them up in the order of k: the same bits every time, and no block waits for another.
#pragma once

#include <cstdint>

#include "tiles/kernels/product.cuh"

namespace tiles {

struct StreamK {
    int64_t whole_tiles;  // dealt out one by one: tile t to block t mod blocks
    int64_t tiles;        // all of them, of all matrices
    int iterations;       // of one tile
    int blocks, sharers;  // sharers: blocks that take part in the cut rest
    // 1, but unknown to the compiler. Partial sums times 1 are stored from other registers than they are summed in;
    // stored as they are, their float4 groups would tie the sums to the register banks of the factors, and FMA would
    // stall.
    float one;

    __host__ __device__ int64_t range_begin(int64_t block) const {
        const int64_t all = (tiles - whole_tiles) * iterations;
        return all / sharers * block + all % sharers * block / sharers;
    }
    // The block whose range holds `iteration` of the rest.
    __host__ __device__ int64_t owner(int64_t iteration) const {
        int64_t guess = static_cast<int64_t>(static_cast<double>(iteration) * sharers /
                                             (static_cast<double>(tiles - whole_tiles) * iterations));
        while (guess > 0 && range_begin(guess) > iteration) --guess;
        while (guess + 1 < sharers && range_begin(guess + 1) <= iteration) ++guess;
        return guess;
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
        const int64_t tile = position / plan.iterations;
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
        matrix = piece.tile / per_matrix;
        const TilePlace place =
            tile_place(static_cast<int>(piece.tile - matrix * per_matrix), p.tiles_m, p.tiles_n, p.raster);
        row = static_cast<int64_t>(place.row) * Tile::kTileM,
        column = static_cast<int64_t>(place.column) * Tile::kTileN;
        const int rest = static_cast<int>(p.k - static_cast<int64_t>(plan.iterations - 1) * Tile::kDepth);
        first_k = piece.begin == 0 ? 0 : rest + static_cast<int64_t>(piece.begin - 1) * Tile::kDepth;
        first_depth = piece.begin == 0 ? rest : Tile::kDepth;
    }
};

// Adds up the tiles that several blocks share. blockIdx.x: the tile among the cut ones; blockIdx.y: a share of its
// rows. Blocks of 256 threads.
template <typename T, int kTileM, int kTileN>
__global__ void __launch_bounds__(256) add_stream_k(const Product<T> p, const StreamK plan) {
    const int64_t from = static_cast<int64_t>(blockIdx.x) * plan.iterations;
    const int64_t first = plan.owner(from), last = plan.owner(from + plan.iterations - 1);
    if (first == last) return;  // its block stored it
    const int per_matrix = p.tiles_m * p.tiles_n;
    const int64_t tile = plan.whole_tiles + blockIdx.x, matrix = tile / per_matrix;
    const TilePlace place = tile_place(static_cast<int>(tile % per_matrix), p.tiles_m, p.tiles_n, p.raster);
    for (int i = blockIdx.y * 256 + threadIdx.x; i < kTileM * kTileN; i += gridDim.y * 256) {
        const int64_t row = static_cast<int64_t>(place.row) * kTileM + i / kTileN;
        const int64_t column = static_cast<int64_t>(place.column) * kTileN + i % kTileN;
        if (row >= p.m || column >= p.n) continue;
        T sum = p.partial[partial_place(first, 0) * kTileM * kTileN + i];
#pragma unroll 4
        for (int64_t block = first + 1; block <= last; ++block)
            sum += p.partial[partial_place(block, 1) * kTileM * kTileN + i];
        store(p.c + matrix * p.stride_c + row * p.ldc + column, sum, p.alpha, p.beta);
    }
}

}  // namespace tiles
