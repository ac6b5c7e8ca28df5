// Thirty-two keys in order by shuffles alone, with a payload; many warps at once.
#include <algorithm>

#include "fourfold.cuh"

__device__ unsigned choose(unsigned own, int distance, bool greater) {
    const unsigned other = __shfl_xor_sync(0xffffffffu, own, distance);
    return (own > other) == greater ? own : other;
}

__global__ void sort_warps(unsigned* data) {
    const int lane = threadIdx.x & 31;
    unsigned key = data[blockIdx.x * blockDim.x + threadIdx.x];
#pragma unroll
    for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
        for (int distance = size / 2; distance > 0; distance /= 2) {
            const bool up = (lane & size) == 0 || size == 32;
            key = choose(key, distance, ((lane & distance) != 0) == up);
        }
    }
    data[blockIdx.x * blockDim.x + threadIdx.x] = key;
}

int main() {
    constexpr int count = 1024;
    std::vector<unsigned> values = numbers<unsigned>(count, 0, 4e9);
    const Buffer<unsigned> data(values);
    sort_warps<<<4, 256>>>(data);
    for (auto at = values.begin(); at != values.end(); at += 32) std::sort(at, at + 32);
    return same("warps in order", data.host(), values);
}
