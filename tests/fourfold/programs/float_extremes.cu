// The smallest and the largest of floats in one word each: by compare and swap, and by the order of their bits.
#include <algorithm>

#include "fourfold.cuh"

__device__ float atomic_max(float* at, float value) {
    int* word = (int*)at;
    int old = *word, seen;
    do {
        seen = old;
        if (__int_as_float(seen) >= value) break;
        old = atomicCAS(word, seen, __float_as_int(value));
    } while (old != seen);
    return __int_as_float(old);
}

__device__ unsigned ordered(float value) {
    const unsigned bits = __float_as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void extremes(const float* in, int count, float* high, unsigned* low) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    atomic_max(high, in[i]);
    atomicMin(low, ordered(in[i]));
}

__global__ void back(const unsigned* low, float* out) {
    const unsigned bits = *low;
    *out = __uint_as_float(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

int main() {
    constexpr int count = 1500;
    const std::vector<float> values = numbers<float>(count, -100, 100);
    const Buffer<float> in(values), high(std::vector<float>{-1e30f}), out(1);
    const Buffer<unsigned> low(std::vector<unsigned>{~0u});
    extremes<<<(count + 127) / 128, 128>>>(in, count, high, low);
    back<<<1, 1>>>(low, out);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return same("largest", high.host(), {*most}) + same("smallest", out.host(), {*least});
}
