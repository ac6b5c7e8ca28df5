// Products of matrices on tensor cores, one after the other and nothing else: four sums of 16 x 8, each of which gets
// `steps` products of 16 x 16 by 16 x 8 on top. Factors and addends come from memory, a word for each lane.
#include <cstdint>

template <class Multiply>
__device__ void add_products(const uint32_t* words, float* sums, unsigned steps, const Multiply& multiply) {
    constexpr unsigned kLanes = 32, kSums = 4;
    const unsigned lane = threadIdx.x % kLanes, warp = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
    uint32_t a[4], b[2];
    float d[kSums][4];
    for (unsigned i = 0; i < 4; ++i) a[i] = words[i * kLanes + lane];
    for (unsigned i = 0; i < 2; ++i) b[i] = words[(4 + i) * kLanes + lane];
    float* const own = sums + warp * kSums * 4 * kLanes + lane;
#pragma unroll
    for (unsigned n = 0; n < kSums * 4; ++n) d[n / 4][n % 4] = own[n * kLanes];
#pragma unroll 1
    for (unsigned step = 0; step < steps; ++step) {
#pragma unroll
        for (unsigned n = 0; n < 4 * kSums; ++n) multiply(d[n % kSums], a, b);
    }
#pragma unroll
    for (unsigned n = 0; n < kSums * 4; ++n) own[n * kLanes] = d[n / 4][n % 4];
}

#define MULTIPLY(type)                                                           \
    [](float(&d)[4], const uint32_t(&a)[4], const uint32_t(&b)[2]) {             \
        asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type               \
            ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "                          \
            "{%8, %9}, {%0, %1, %2, %3};"                                        \
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                     \
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
    }

extern "C" __global__ void products_f16(const uint32_t* words, float* sums, unsigned steps) {
    add_products(words, sums, steps, MULTIPLY("f16"));
}
extern "C" __global__ void products_bf16(const uint32_t* words, float* sums, unsigned steps) {
    add_products(words, sums, steps, MULTIPLY("bf16"));
}
