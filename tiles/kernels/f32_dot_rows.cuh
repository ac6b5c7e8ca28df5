// A matrix times a vector: a row to a warp or to a block, nothing but loads of 16 bytes, eight of them under way in
// each thread.
//
// The idea: each element of the matrix is used once, so no tile pays; the time is that of reading it. A long row goes
// to all warps of a block, so that all of it is asked for at once, and blocks come and go: loads are always under way.
// For a matrix whose rows lie along k (of A when n is 1, of B's columns when m is 1). Any length and alignment: what is
// not aligned is read float by float.
#pragma once

#include <cstdint>

#include "tiles/kernels/dependent_launch.cuh"
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

constexpr int kDotThreads = 128;
// Blocks of an SM, which bound the registers: with more of these the compiler keeps fewer blocks at work, with fewer it
// keeps fewer loads under way.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr int kDotBlocks = 8;
#else
constexpr int kDotBlocks = 12;
#endif

// Where a thread stands in its row, and how many fours lie from there to the row's end.
struct DotPlace {
    const float4 *row, *vector;
    int64_t left;
    float sum;
};

// Goes on while kLoads more fours are this thread's; kThreads share the row.
template <int kLoads, int kThreads>
__device__ inline void dot_fours(DotPlace& at) {
#pragma unroll 1
    for (; at.left > (kLoads - 1) * kThreads; at.left -= kLoads * kThreads) {
        float4 x[kLoads];
#pragma unroll
        for (int i = 0; i < kLoads; ++i) x[i] = __ldcs(at.row + i * kThreads);
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
            const float4 y = at.vector[i * kThreads];
            at.sum = fmaf(x[i].x, y.x, fmaf(x[i].y, y.y, fmaf(x[i].z, y.z, fmaf(x[i].w, y.w, at.sum))));
        }
        at.row += kLoads * kThreads, at.vector += kLoads * kThreads;
    }
}

// One thread's share of a row's sum.
template <int kThreads, bool kAligned>
__device__ inline float dot_share(const float* row, const float* vector, int64_t by_k, int64_t k, int thread) {
    if constexpr (kAligned) {
        DotPlace at = {reinterpret_cast<const float4*>(row) + thread, reinterpret_cast<const float4*>(vector) + thread,
                       k / 4 - thread, 0};
        dot_fours<8, kThreads>(at), dot_fours<2, kThreads>(at), dot_fours<1, kThreads>(at);
        const int64_t p = k / 4 * 4 + thread;  // what fills no four
        return p < k ? fmaf(row[p], vector[p], at.sum) : at.sum;
    }
    float sum = 0;
#pragma unroll 8
    for (int64_t p = thread; p < k; p += kThreads) sum = fmaf(row[p], vector[p * by_k], sum);
    return sum;
}

// kWarps: of the block's, those that share a row.
template <int kWarps, bool kAligned>
__global__ void __launch_bounds__(kDotThreads, kDotBlocks) f32_dot_rows(const DotRows p) {
    constexpr int kThreads = 32 * kWarps, kRows = kDotThreads / kThreads;
    const int thread = static_cast<int>(threadIdx.x) % kThreads;
    const int64_t row = static_cast<int64_t>(blockIdx.x) * kRows + threadIdx.x / kThreads, batch = blockIdx.y;
    wait_for_earlier_kernels();
    if (row >= p.rows) return;
    const float* matrix = p.matrix + batch * p.stride_matrix + row * p.ld;
    float sum = dot_share<kThreads, kAligned>(matrix, p.vector + batch * p.stride_vector, p.by_k, p.k, thread);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if constexpr (kWarps > 1) {
        static_assert(kRows == 1, "all threads of a block meet");
        __shared__ float of_warp[kWarps];
        if (thread % 32 == 0) of_warp[thread / 32] = sum;
        __syncthreads();
        if (thread != 0) return;
        for (int warp = 1; warp < kWarps; ++warp) sum += of_warp[warp];
    }
    if (thread == 0) store(p.out + batch * p.stride_out + row * p.out_step, sum, p.alpha, p.beta);
}

}  // namespace tiles
