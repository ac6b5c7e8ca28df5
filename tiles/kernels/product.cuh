// What every kernel gets as its one parameter, and the few lines that all of them share.
//
// Owns: Product, the raster order of tiles, the store of one element. Guarantees: `store` reads C only when beta is not
// 0. Plain CUDA without includes of the library, so that each rung can be read, and run, by itself.
#pragma once

#include <cstdint>

namespace tiles {

// C = alpha A B + beta C, row-major C. A(i, p) is a[i * a_by_row + p * a_by_k], B(p, j) is b[p * b_by_k + j *
// b_by_column]; of each pair of steps one is 1.
template <typename T>
struct Product {
    const T* a;
    const T* b;
    T* c;
    int64_t m, n, k;
    int64_t a_by_row, a_by_k, b_by_k, b_by_column, ldc;
    int64_t stride_a, stride_b, stride_c;  // from matrix to matrix of a batch
    T alpha, beta;
    int tiles_m, tiles_n;  // of one matrix
    int raster;            // rows of tiles walked together
    int64_t k_per_split;   // multiple of the kernel's depth; k when there is one part
    T* partial;            // split k: part s of matrix z starts at ((s * batch + z) * m * n), rows of n
};

// Tile `index` of a grid of tiles_m x tiles_n, walked in groups of `raster` rows, column by column within a group, so
// that blocks that run at the same time share rows of A and columns of B in the L2.
struct TilePlace {
    int row, column;
};

__host__ __device__ inline TilePlace tile_place(int index, int tiles_m, int tiles_n, int raster) {
    const int per_group = raster * tiles_n;
    const int group = index / per_group, within = index - group * per_group;
    const int rows = tiles_m - group * raster < raster ? tiles_m - group * raster : raster;
    return {group * raster + within % rows, within / rows};
}

// The tile and the matrix of a block in a grid of one block per tile; rows of tiles one after the other.
struct MatrixTile {
    int64_t matrix;
    int row, column;
};

template <typename T>
__device__ inline MatrixTile matrix_tile(const Product<T>& p) {
    const int per_matrix = p.tiles_m * p.tiles_n, tile = blockIdx.x % per_matrix;
    return {blockIdx.x / per_matrix, tile / p.tiles_n, tile % p.tiles_n};
}

template <typename T>
__device__ inline void store(T* place, T sum, T alpha, T beta) {
    *place = beta == T(0) ? alpha * sum : alpha * sum + beta * *place;
}

}  // namespace tiles
