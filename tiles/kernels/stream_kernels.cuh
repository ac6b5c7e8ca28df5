// Kernels that read everything once: the sum of two vectors, and the sum of one.
//
// What counts is bytes in flight: accesses of 16 bytes, four independent ones per thread, before the first is used.
// What is not aligned to 16 bytes goes float by float.
#pragma once

#include <cstdint>

namespace tiles {

constexpr int kStreamThreads = 256, kStreamLoads = 4;
constexpr int kReduceThreads = 512, kReduceStretch = kReduceThreads * kStreamLoads * 4, kMaxReduceBlocks = 4096;

template <bool kWide>
__global__ void __launch_bounds__(kStreamThreads)
    add_vectors(int64_t count, const float* x, const float* y, float* out) {
    const int64_t first = static_cast<int64_t>(blockIdx.x) * kStreamThreads * kStreamLoads + threadIdx.x;
    if constexpr (kWide) {
        const int64_t fours = count / 4;
        float4 a[kStreamLoads], b[kStreamLoads];
#pragma unroll
        for (int i = 0; i < kStreamLoads; ++i) {
            const int64_t at = first + i * kStreamThreads;
            if (at < fours)
                a[i] = reinterpret_cast<const float4*>(x)[at], b[i] = reinterpret_cast<const float4*>(y)[at];
        }
#pragma unroll
        for (int i = 0; i < kStreamLoads; ++i) {
            const int64_t at = first + i * kStreamThreads;
            if (at >= fours) continue;
            reinterpret_cast<float4*>(out)[at] = {a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w};
        }
        if (blockIdx.x == 0 && threadIdx.x < count % 4) {
            const int64_t at = fours * 4 + threadIdx.x;
            out[at] = x[at] + y[at];
        }
    } else {
#pragma unroll
        for (int i = 0; i < kStreamLoads; ++i) {
            const int64_t at = first + i * kStreamThreads;
            if (at < count) out[at] = x[at] + y[at];
        }
    }
}

// The sum of a block's values, in its first thread.
__device__ inline float block_sum(float value) {
    constexpr int warps = kReduceThreads / 32;
    __shared__ float of_warp[warps];
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32) return 0;
    value = threadIdx.x < warps ? of_warp[threadIdx.x] : 0;
    for (int distance = warps / 2; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

// Block b sums `stretches` stretches of kReduceStretch floats that lie one behind the other into partial[b]. `x` is
// aligned to 4 bytes only; `head` floats come before the first address that is a multiple of 16.
__global__ void __launch_bounds__(kReduceThreads)
    sum_parts(int64_t count, const float* x, int head, int64_t stretches, float* partial) {
    const float4* fours = reinterpret_cast<const float4*>(x + head);
    const int64_t wide = (count - head) / 4;
    float sums[kStreamLoads] = {};
    int64_t at = blockIdx.x * stretches * (kReduceStretch / 4) + threadIdx.x;
    for (int64_t stretch = 0; stretch < stretches; ++stretch, at += kReduceStretch / 4) {
        float4 loaded[kStreamLoads];
#pragma unroll
        for (int i = 0; i < kStreamLoads; ++i) {
            const int64_t place = at + i * kReduceThreads;
            loaded[i] = place < wide ? fours[place] : make_float4(0, 0, 0, 0);
        }
#pragma unroll
        for (int i = 0; i < kStreamLoads; ++i) sums[i] += (loaded[i].x + loaded[i].y) + (loaded[i].z + loaded[i].w);
    }
    if (blockIdx.x == 0) {
        if (static_cast<int>(threadIdx.x) < head) sums[1] += x[threadIdx.x];
        const int64_t tail = head + wide * 4 + threadIdx.x;
        if (threadIdx.x < 4 && tail < count) sums[1] += x[tail];
    }
    const float sum = block_sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// One block.
__global__ void __launch_bounds__(kReduceThreads) sum_of_parts(int parts, const float* partial, float* out) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kMaxReduceBlocks / kReduceThreads; ++i) {
        const int at = i * kReduceThreads + threadIdx.x;
        sum += at < parts ? partial[at] : 0;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;
}

}  // namespace tiles
