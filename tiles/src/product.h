// From the canonical product to a kernel's parameter. Owns: strides by row and by k, tile counts, parts of k. Does not
// check anything: tiles/src/validate.cpp has.
#pragma once

#include <algorithm>
#include <cmath>

#include "tiles/kernels/product.cuh"
#include "tiles/src/problem.h"

namespace tiles {

inline int64_t parts_of(int64_t whole, int64_t part) { return (whole + part - 1) / part; }

// How k is cut: parts of equal depth, a multiple of the tile's, but for the last.
struct Split {
    int64_t k_per_part;
    int parts;
};

inline Split split_of(const GemmProblem& p, const Tuning& tuning, int tile_k) {
    const int64_t wanted = tuning.split_k > 1 ? tuning.split_k : 1;
    const int64_t depth = parts_of(parts_of(p.k, wanted), tile_k) * tile_k;
    return {depth, static_cast<int>(parts_of(p.k, depth))};
}

template <typename T>
Product<T> make_product(const GemmProblem& p, const Tuning& tuning, int tile_m, int tile_n, int slots) {
    Product<T> out;
    out.a = static_cast<const T*>(p.a), out.b = static_cast<const T*>(p.b), out.c = static_cast<T*>(p.c);
    out.m = p.m, out.n = p.n, out.k = p.k;
    out.a_by_row = p.transposed_a ? 1 : p.lda, out.a_by_k = p.transposed_a ? p.lda : 1;
    out.b_by_k = p.transposed_b ? 1 : p.ldb, out.b_by_column = p.transposed_b ? p.ldb : 1;
    out.ldc = p.ldc, out.stride_a = p.stride_a, out.stride_b = p.stride_b, out.stride_c = p.stride_c;
    out.alpha = static_cast<T>(p.alpha), out.beta = static_cast<T>(p.beta);
    out.tiles_m = static_cast<int>(parts_of(p.m, tile_m)), out.tiles_n = static_cast<int>(parts_of(p.n, tile_n));
    // Blocks that run together should cover a square of C: that reads the fewest bytes of A and B.
    const double square = std::sqrt(static_cast<double>(slots) * tile_n / tile_m);
    out.raster = tuning.raster > 0 ? tuning.raster : std::max(1, static_cast<int>(square + 0.5));
    out.k_per_split = p.k, out.partial = nullptr;
    return out;
}

// Whether tiles fit a one-dimensional grid.
inline bool grid_fits(const GemmProblem& p, int tile_m, int tile_n) {
    const double tiles = static_cast<double>(parts_of(p.m, tile_m)) * static_cast<double>(parts_of(p.n, tile_n));
    return tiles * static_cast<double>(p.batch) < 2147483647.0;
}

// Whether an operand whose rows lie along the tile can be copied 16 bytes at a time.
inline bool rows_in_16_bytes(const void* pointer, int64_t extent, int64_t ld, int64_t stride, int64_t batch,
                             size_t bytes) {
    const int64_t per_copy = 16 / static_cast<int64_t>(bytes);
    return reinterpret_cast<uintptr_t>(pointer) % 16 == 0 && extent % per_copy == 0 && ld % per_copy == 0 &&
           (batch == 1 || stride % per_copy == 0);
}

}  // namespace tiles
