// How fast mma.sync and mma.sp are: cycles from one to the next that needs its result, and cycles for each where none
// waits.
//
// usage: tensor_rates          a line for each form: name, cycles of a chain's link, cycles an SM takes for each of
// many
//        tensor_rates count    one launch of each by one warp, for a profiler; prints their names
#include <algorithm>
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

namespace {

#define FORM(name, na, nb, nc, text, operands, ...)                                     \
    struct name {                                                                       \
        static constexpr const char* kName = #name;                                     \
        static __device__ void run(unsigned* d, const unsigned* a, const unsigned* b) { \
            asm volatile("mma.sync.aligned." text operands __VA_ARGS__);                \
        }                                                                               \
    };
#define SUMS4 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define SUMS2 : "+r"(d[0]), "+r"(d[1])
#define A4B2 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define A2B1 : "r"(a[0]), "r"(a[1]), "r"(b[0])
#define A1B1 : "r"(a[0]), "r"(b[0])
#define WIDE " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#define NARROW " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
#define WIDE16 " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
#define SMALL " {%0,%1}, {%2}, {%3}, {%0,%1};"
FORM(f16_k16_f32, 4, 2, 4, "m16n8k16.row.col.f32.f16.f16.f32", WIDE, SUMS4 A4B2)
FORM(f16_k8_f32, 2, 1, 4, "m16n8k8.row.col.f32.f16.f16.f32", NARROW, SUMS4 A2B1)
FORM(f16_k16_f16, 4, 2, 2, "m16n8k16.row.col.f16.f16.f16.f16", WIDE16, SUMS2 A4B2)
FORM(bf16_k16, 4, 2, 4, "m16n8k16.row.col.f32.bf16.bf16.f32", WIDE, SUMS4 A4B2)
FORM(bf16_k8, 2, 1, 4, "m16n8k8.row.col.f32.bf16.bf16.f32", NARROW, SUMS4 A2B1)
FORM(tf32_k8, 4, 2, 4, "m16n8k8.row.col.f32.tf32.tf32.f32", WIDE, SUMS4 A4B2)
FORM(tf32_k4, 2, 1, 4, "m16n8k4.row.col.f32.tf32.tf32.f32", NARROW, SUMS4 A2B1)
FORM(e4m3_k32, 4, 2, 4, "m16n8k32.row.col.f32.e4m3.e4m3.f32", WIDE, SUMS4 A4B2)
FORM(s8_k32, 4, 2, 4, "m16n8k32.row.col.s32.s8.s8.s32", WIDE, SUMS4 A4B2)
FORM(s8_k16, 2, 1, 4, "m16n8k16.row.col.s32.s8.s8.s32", NARROW, SUMS4 A2B1)
FORM(s8_m8, 1, 1, 2, "m8n8k16.row.col.s32.s8.s8.s32", SMALL, SUMS2 A1B1)
FORM(s4_k64, 4, 2, 4, "m16n8k64.row.col.s32.s4.s4.s32", WIDE, SUMS4 A4B2)
FORM(b1_k256, 4, 2, 4, "m16n8k256.row.col.s32.b1.b1.s32.and.popc", WIDE, SUMS4 A4B2)

// Of sparse matrices B has twice as many words as a dense one of what A stores; the metadata names the first two of
// four.
#define SPARSE(name, text, operands, ...)                                                                       \
    struct name {                                                                                               \
        static constexpr const char* kName = #name;                                                             \
        static __device__ void run(unsigned* d, const unsigned* a, const unsigned* b) {                         \
            asm volatile("mma.sp::ordered_metadata.sync.aligned." text operands __VA_ARGS__, "r"(0x44444444u)); \
        }                                                                                                       \
    };
#define A4B4 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3])
#define A2B2 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1])
#define SPARSE_WIDE " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0;"
#define SPARSE_NARROW " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, 0;"
#define SPARSE_WIDE16 " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%0,%1}, %10, 0;"
#define SPARSE_NARROW16 " {%0,%1}, {%2,%3}, {%4,%5}, {%0,%1}, %6, 0;"
SPARSE(sparse_f16_k32_f32, "m16n8k32.row.col.f32.f16.f16.f32", SPARSE_WIDE, SUMS4 A4B4)
SPARSE(sparse_f16_k16_f32, "m16n8k16.row.col.f32.f16.f16.f32", SPARSE_NARROW, SUMS4 A2B2)
SPARSE(sparse_f16_k32_f16, "m16n8k32.row.col.f16.f16.f16.f16", SPARSE_WIDE16, SUMS2 A4B4)
SPARSE(sparse_f16_k16_f16, "m16n8k16.row.col.f16.f16.f16.f16", SPARSE_NARROW16, SUMS2 A2B2)
SPARSE(sparse_bf16_k32, "m16n8k32.row.col.f32.bf16.bf16.f32", SPARSE_WIDE, SUMS4 A4B4)
SPARSE(sparse_bf16_k16, "m16n8k16.row.col.f32.bf16.bf16.f32", SPARSE_NARROW, SUMS4 A2B2)
SPARSE(sparse_tf32_k16, "m16n8k16.row.col.f32.tf32.tf32.f32", SPARSE_WIDE, SUMS4 A4B4)
SPARSE(sparse_tf32_k8, "m16n8k8.row.col.f32.tf32.tf32.f32", SPARSE_NARROW, SUMS4 A2B2)
SPARSE(sparse_e4m3_k64, "m16n8k64.row.col.f32.e4m3.e4m3.f32", SPARSE_WIDE, SUMS4 A4B4)
SPARSE(sparse_e5m2_k64, "m16n8k64.row.col.f32.e5m2.e5m2.f32", SPARSE_WIDE, SUMS4 A4B4)
SPARSE(sparse_s8_k64, "m16n8k64.row.col.s32.s8.s8.s32", SPARSE_WIDE, SUMS4 A4B4)
SPARSE(sparse_s8_k32, "m16n8k32.row.col.s32.s8.s8.s32", SPARSE_NARROW, SUMS4 A2B2)
SPARSE(sparse_s4_k128, "m16n8k128.row.col.s32.s4.s4.s32", SPARSE_WIDE, SUMS4 A4B4)
SPARSE(sparse_s4_k64, "m16n8k64.row.col.s32.s4.s4.s32", SPARSE_NARROW, SUMS4 A2B2)

struct f64_m8 {
    static constexpr const char* kName = "f64_m8";
    static __device__ void run(unsigned* d, const unsigned*, const unsigned*) {
        double s[2], x = 1;
        __builtin_memcpy(s, d, 16);
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%2}, {%0,%1};"
                     : "+d"(s[0]), "+d"(s[1])
                     : "d"(x));
        __builtin_memcpy(d, s, 16);
    }
};
struct f64_k16 {
    static constexpr const char* kName = "f64_k16";
    static __device__ void run(unsigned* d, const unsigned*, const unsigned*) {
        double s[4] = {1, 1, 1, 1}, x = 1;
        __builtin_memcpy(s, d, 16);
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%4,%4,%4,%4,%4,%4,%4}, "
            "{%4,%4,%4,%4}, {%0,%1,%2,%3};"
            : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
            : "d"(x));
        __builtin_memcpy(d, s, 16);
    }
};

constexpr int kSteps = 256;

template <class Form, int kChains>
__global__ void run(long long* cycles, unsigned* out) {
    unsigned d[kChains][4] = {}, a[4] = {threadIdx.x, 1, 2, 3}, b[4] = {threadIdx.x, 1, 2, 3};
    __syncthreads();
    const long long start = clock64();
    for (int i = 0; i < kSteps; ++i)
#pragma unroll
        for (int c = 0; c < kChains; ++c) Form::run(d[c], a, b);
    __syncthreads();
    const long long end = clock64();
    unsigned sum = 0;
    for (int c = 0; c < kChains; ++c)
        for (const unsigned word : d[c]) sum += word;
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0) *cycles = end - start;
}

bool counts = false;

template <class Form>
void measure(long long* cycles, unsigned* out) {
    if (counts) {
        run<Form, 1><<<1, 32>>>(cycles, out);
        cudaDeviceSynchronize();
        std::printf("%s %s\n", Form::kName, cudaGetErrorString(cudaGetLastError()));
        return;
    }
    double best[2] = {1e9, 1e9};
    for (int i = 0; i < 3; ++i) {
        run<Form, 1><<<1, 32>>>(cycles, out);
        cudaDeviceSynchronize();
        best[0] = std::min(best[0], static_cast<double>(*cycles) / kSteps);
        run<Form, 4><<<1, 512>>>(cycles, out);
        cudaDeviceSynchronize();
        best[1] = std::min(best[1], static_cast<double>(*cycles) / kSteps / 4 / 16);
    }
    std::printf("%s link %.1f each %.2f %s\n", Form::kName, best[0], best[1], cudaGetErrorString(cudaGetLastError()));
}

}  // namespace

int main(int argc, char** argv) {
    counts = argc > 1 && std::strcmp(argv[1], "count") == 0;
    long long* cycles = nullptr;
    unsigned* out = nullptr;
    cudaMallocManaged(&cycles, sizeof *cycles);
    cudaMalloc(&out, 4096);
#define MEASURE(form) measure<form>(cycles, out)
    MEASURE(f16_k16_f32);
    MEASURE(f16_k8_f32);
    MEASURE(f16_k16_f16);
    MEASURE(bf16_k16);
    MEASURE(bf16_k8);
    MEASURE(tf32_k8);
    MEASURE(tf32_k4);
    MEASURE(e4m3_k32);
    MEASURE(s8_k32);
    MEASURE(s8_k16);
    MEASURE(s8_m8);
    MEASURE(s4_k64);
    MEASURE(b1_k256);
    MEASURE(f64_m8);
    MEASURE(f64_k16);
    MEASURE(sparse_f16_k32_f32);
    MEASURE(sparse_f16_k16_f32);
    MEASURE(sparse_f16_k32_f16);
    MEASURE(sparse_f16_k16_f16);
    MEASURE(sparse_bf16_k32);
    MEASURE(sparse_bf16_k16);
    MEASURE(sparse_tf32_k16);
    MEASURE(sparse_tf32_k8);
    MEASURE(sparse_e4m3_k64);
    MEASURE(sparse_e5m2_k64);
    MEASURE(sparse_s8_k64);
    MEASURE(sparse_s8_k32);
    MEASURE(sparse_s4_k128);
    MEASURE(sparse_s4_k64);
    return 0;
}
