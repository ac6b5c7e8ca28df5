// Sums by shuffles: within a warp, then over the warps of a block, once down and once across.
#include <numeric>

#include "fourfold.cuh"

__inline__ __device__ float sum_of_warp(float value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__inline__ __device__ float sum_of_block(float value) {
    static __shared__ float parts[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    value = sum_of_warp(value);
    if (lane == 0) parts[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? parts[lane] : 0;
    if (warp == 0) value = sum_of_warp(value);
    return value;
}

__global__ void sums(const float* in, float* out, int count) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) sum += in[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void everywhere(const float* in, float* out) {
    float value = in[threadIdx.x];
    for (int mask = 16; mask > 0; mask >>= 1) value += __shfl_xor_sync(0xffffffff, value, mask);
    out[threadIdx.x] = value / 32;
}

int main() {
    constexpr int count = 10000;
    const std::vector<float> values = numbers<float>(count, 0, 1);
    const Buffer<float> in(values), parts(12), sum(1), means(32);
    sums<<<12, 128>>>(in, parts, count);
    sums<<<1, 32>>>(parts, sum, 12);
    int bad = near("sum", sum.host(), {std::accumulate(values.begin(), values.end(), 0.0f)});
    everywhere<<<1, 32>>>(in, means);
    const float mean = std::accumulate(values.begin(), values.begin() + 32, 0.0f) / 32;
    return bad + near("mean in all lanes", means.host(), std::vector<float>(32, mean));
}
