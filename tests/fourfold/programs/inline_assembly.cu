// PTX in the text of a kernel: special registers, carries, predicates, selections and loads with hints.
#include "fourfold.cuh"

__device__ unsigned lane_number() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__device__ uint2 add_wide(uint2 a, uint2 b) {
    uint2 sum;
    asm("add.cc.u32 %0, %2, %4;\n\taddc.u32 %1, %3, %5;"
        : "=r"(sum.x), "=r"(sum.y)
        : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y));
    return sum;
}
__device__ int clamp_by_predicate(int x, int high) {
    int out;
    asm("{\n\t.reg .pred p;\n\tsetp.gt.s32 p, %1, %2;\n\tselp.s32 %0, %2, %1, p;\n\t}" : "=r"(out) : "r"(x), "r"(high));
    return out;
}
__device__ int streamed(const int* at) {
    int value;
    asm volatile("ld.global.cs.s32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

__global__ void compute(const int* in, int* out, uint2* sums) {
    const unsigned lane = lane_number(), i = threadIdx.x;
    unsigned fields;
    asm("bfe.u32 %0, %1, 3, 9;" : "=r"(fields) : "r"(in[i]));
    out[i] = clamp_by_predicate(streamed(in + i), 500) + int(lane) * 1000 + int(fields) * 100000;
    sums[i] = add_wide(make_uint2(in[i] * 4000000u, i), make_uint2(~0u - i, i * 7));
}

int main() {
    constexpr int count = 64;
    const std::vector<int> in = numbers<int>(count, 0, 1000);
    std::vector<int> expected;
    std::vector<unsigned> sums;
    for (unsigned i = 0; i < count; ++i) {
        expected.push_back(std::min(in[i], 500) + int(i % 32) * 1000 + (in[i] >> 3 & 511) * 100000);
        const unsigned long long a = static_cast<unsigned long long>(i) << 32 | in[i] * 4000000u,
                                 b = static_cast<unsigned long long>(i * 7) << 32 | (~0u - i);
        sums.push_back(static_cast<unsigned>(a + b));
        sums.push_back(static_cast<unsigned>((a + b) >> 32));
    }
    const Buffer<int> from(in), out(count);
    const Buffer<unsigned> wide(2 * count);
    compute<<<1, count>>>(from, out, (uint2*)wide.at);
    return same("values", out.host(), expected) + same("sums", wide.host(), sums);
}
