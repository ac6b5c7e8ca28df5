// A matrix times a vector: a warp per row, nothing but loads of 16 bytes, eight of them under way in each lane.
//
// The idea: each element of the matrix is used once, so no tile pays; the time is that of reading it. For a matrix
// whose rows lie along k (of A when n is 1, of B's columns when m is 1). Any length and alignment: what is not aligned
// is read float by float.
#pragma once

#include <cstdint>

#include "tiles/kernels/product.cuh"

namespace tiles {

struct DotRows {
    const float* matrix;
    const float* vector;
    float* out;
    int64_t rows, k, ld, by_k, out_step;  // by_k: from element to element of the vector
    int64_t stride_matrix, stride_vector, stride_out;
    float alpha, beta;
};

constexpr int kDotWarps = 4;

// This lane's share of one row's sum.
template <bool kAligned>
__device__ inline float dot_share(const float* row, const float* vector, int64_t by_k, int64_t k, int lane) {
    float sum = 0;
    int64_t begin = 0;
    if constexpr (kAligned) {
        constexpr int kLoads = 8;
        const float4* row4 = reinterpret_cast<const float4*>(row) + lane;
        const float4* vector4 = reinterpret_cast<const float4*>(vector) + lane;
        for (; begin + kLoads * 128 <= k; begin += kLoads * 128, row4 += kLoads * 32, vector4 += kLoads * 32) {
            float4 x[kLoads];
#pragma unroll
            for (int i = 0; i < kLoads; ++i) x[i] = __ldcs(row4 + i * 32);
#pragma unroll
            for (int i = 0; i < kLoads; ++i) {
                const float4 y = vector4[i * 32];
                sum = fmaf(x[i].x, y.x, fmaf(x[i].y, y.y, fmaf(x[i].z, y.z, fmaf(x[i].w, y.w, sum))));
            }
        }
    }
#pragma unroll 8
    for (int64_t p = begin + lane; p < k; p += 32) sum = fmaf(row[p], vector[p * by_k], sum);
    return sum;
}

template <bool kAligned>
__global__ void __launch_bounds__(32 * kDotWarps) f32_dot_rows(const DotRows p) {
    const int lane = threadIdx.x % 32;
    const int64_t row = static_cast<int64_t>(blockIdx.x) * kDotWarps + threadIdx.x / 32, batch = blockIdx.y;
    if (row >= p.rows) return;
    const float* matrix = p.matrix + batch * p.stride_matrix + row * p.ld;
    float sum = dot_share<kAligned>(matrix, p.vector + batch * p.stride_vector, p.by_k, p.k, lane);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0) store(p.out + batch * p.stride_out + row * p.out_step, sum, p.alpha, p.beta);
}

}  // namespace tiles
