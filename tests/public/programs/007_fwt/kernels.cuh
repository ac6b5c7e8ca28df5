// The fast Walsh transform in shared memory and its step over global memory; main.cu includes this, as it does there.
#pragma once
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void walsh_shared(float* data, int log2n) {
    cg::thread_block cta = cg::this_thread_block();
    extern __shared__ float s_data[];
    const int n = 1 << log2n;
    float* part = data + (blockIdx.x << log2n);
    for (int i = threadIdx.x; i < n; i += blockDim.x) s_data[i] = part[i];
    for (int stride = n >> 1; stride >= 1; stride >>= 1) {
        cg::sync(cta);
        for (int pos = threadIdx.x; pos < n / 2; pos += blockDim.x) {
            int lo = pos & (stride - 1), a = ((pos - lo) << 1) + lo, b = a + stride;
            float x = s_data[a], y = s_data[b];
            s_data[a] = x + y;
            s_data[b] = x - y;
        }
    }
    cg::sync(cta);
    for (int i = threadIdx.x; i < n; i += blockDim.x) part[i] = s_data[i];
}
__global__ void walsh_step(float* data, int half) {
    int pos = blockIdx.x * blockDim.x + threadIdx.x, lo = pos & (half - 1), a = ((pos - lo) << 1) + lo;
    float x = data[a], y = data[a + half];
    data[a] = x + y;
    data[a + half] = x - y;
}
