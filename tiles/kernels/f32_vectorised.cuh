// Rung 8: float4 everywhere, in a layout without bank conflicts.
//
// The idea: a lane's results lie in groups of four, so that four LDS of 16 bytes bring what rung 7 read with sixteen
// of 4. Global memory is read 16 bytes at a time as well; an operand that lies along k is transposed on its way into
// shared memory, whose rows of 128 + 4 floats spread those stores over all banks. The next tile is loaded into
// registers while this one is multiplied. Blocks of 256 threads make 128 x 128 results, any shape: at edges and for odd
// addresses float by float.
#pragma once

#include "tiles/kernels/f32_lane.cuh"
#include "tiles/kernels/product.cuh"

namespace tiles {

using VectorTile = F32Tile<4, 2, 2, 2, 8, 1, 2>;

// Four floats of an operand's next tile, on their way through registers.
template <bool kAlongK>
struct VectorFill {
    const float* from;  // this thread's first float of the tile
    int across, k;      // of that float, within the tile
    int64_t extent;     // valid floats across
    int64_t by_across, by_k;
    bool wide;  // 16-byte loads are allowed
    float held[4];

    __device__ void start(const float* base, int64_t step_across, int64_t step_k, int64_t valid) {
        across = kAlongK ? threadIdx.x / 2 : threadIdx.x % 32 * 4, k = kAlongK ? threadIdx.x % 2 * 4 : threadIdx.x / 32;
        by_across = step_across, by_k = step_k, extent = valid;
        from = base + across * by_across + k * by_k;
        wide = (kAlongK ? by_across : by_k) % 4 == 0 && reinterpret_cast<uintptr_t>(base) % 16 == 0;
    }

    // `left`: k that are left, this tile's included.
    __device__ void load(int64_t left) {
        const bool whole = kAlongK ? across < extent && k + 4 <= left : across + 4 <= extent && k < left;
        if (wide && whole) {
            const float4 four = *reinterpret_cast<const float4*>(from);
            held[0] = four.x, held[1] = four.y, held[2] = four.z, held[3] = four.w;
        } else {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const bool inside = kAlongK ? across < extent && k + i < left : across + i < extent && k < left;
                held[i] = inside ? from[i * (kAlongK ? by_k : by_across)] : 0;
            }
        }
        from += VectorTile::kDepth * by_k;
    }

    __device__ void keep(float* tile) const {
        constexpr int pitch = VectorTile::kPitchA;
        if constexpr (kAlongK) {
#pragma unroll
            for (int i = 0; i < 4; ++i) tile[(k + i) * pitch + across] = held[i];
        } else {
            *reinterpret_cast<float4*>(tile + k * pitch + across) = {held[0], held[1], held[2], held[3]};
        }
    }
};

template <bool kAlongKA, bool kAlongKB>
__global__ void __launch_bounds__(VectorTile::kThreads, 2) f32_vectorised(const Product<float> p) {
    static_assert(VectorTile::kPitchA == VectorTile::kPitchB && VectorTile::kThreads == 256,
                  "both operands fill alike");
    __shared__ alignas(16) float tile_a[VectorTile::kDepth * VectorTile::kPitchA];
    __shared__ alignas(16) float tile_b[VectorTile::kDepth * VectorTile::kPitchB];
    const MatrixTile at = matrix_tile(p);
    const int64_t row = static_cast<int64_t>(at.row) * VectorTile::kTileM,
                  column = static_cast<int64_t>(at.column) * VectorTile::kTileN;
    VectorFill<kAlongKA> fill_a;
    VectorFill<kAlongKB> fill_b;
    fill_a.start(p.a + at.matrix * p.stride_a + row * p.a_by_row, p.a_by_row, p.a_by_k, p.m - row);
    fill_b.start(p.b + at.matrix * p.stride_b + column * p.b_by_column, p.b_by_column, p.b_by_k, p.n - column);
    const int warp = threadIdx.x / 32, lane_index = threadIdx.x % 32;
    const float* read_a = tile_a + warp % VectorTile::kWarpsM * VectorTile::kWarpTileM + lane_index / 8 * 4;
    const float* read_b = tile_b + warp / VectorTile::kWarpsM * VectorTile::kWarpTileN + lane_index % 8 * 4;
    F32Lane<VectorTile> lane;
    lane.clear();
    fill_a.load(p.k), fill_b.load(p.k);
    for (int64_t first = 0; first < p.k; first += VectorTile::kDepth) {
        fill_a.keep(tile_a), fill_b.keep(tile_b);
        __syncthreads();
        const int64_t left = p.k - first - VectorTile::kDepth;
        if (left > 0) fill_a.load(left), fill_b.load(left);
#pragma unroll
        for (int k = 0; k < VectorTile::kDepth; ++k) {
            lane.read(0, read_a + k * VectorTile::kPitchA, read_b + k * VectorTile::kPitchB);
            lane.multiply(0);
        }
        __syncthreads();
    }
    const bool aligned = p.ldc % 4 == 0 && p.stride_c % 4 == 0 && reinterpret_cast<uintptr_t>(p.c) % 16 == 0;
    store_results<VectorTile>(lane, p.c + at.matrix * p.stride_c + row * p.ldc + column, p.ldc, p.m - row, p.n - column,
                              p.alpha, p.beta, aligned);
}

}  // namespace tiles
