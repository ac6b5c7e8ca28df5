// Each element counts who comes before it and goes there; tiles of the others pass through shared memory.
#include <algorithm>

#include "fourfold.cuh"

__global__ void rank_sort(const short* in, short* out, int count) {
    __shared__ short tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const short own = i < count ? in[i] : 0;
    int rank = 0;
    for (int base = 0; base < count; base += 64) {
        if (base + threadIdx.x < count) tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        const int here = min(64, count - base);
        for (int k = 0; k < here; ++k) rank += tile[k] < own || (tile[k] == own && base + k < i);
        __syncthreads();
    }
    if (i < count) out[rank] = own;
}

int main() {
    constexpr int count = 500;
    std::vector<short> values = numbers<short>(count, -100, 100);
    const Buffer<short> in(values), out(count);
    rank_sort<<<(count + 63) / 64, 64>>>(in, out, count);
    std::sort(values.begin(), values.end());
    return same("sorted", out.host(), values);
}
