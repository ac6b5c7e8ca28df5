// How fast an SM does ordinary arithmetic on short types: multiply-adds of pairs of f16 and bf16, sums of four products
// of bytes (dp4a), and f16 and bf16 made float, beside multiply-adds of integers.
//
// usage: short_rates     a line for each: name, cycles of a chain's link, cycles an SM takes for each of many warps'
#include <algorithm>
#include <cstdio>

#include <cuda_runtime.h>

namespace {

#define FORM(name, ...)                                                   \
    struct name {                                                         \
        static constexpr const char* kName = #name;                       \
        static __device__ void run(unsigned& d, unsigned a, unsigned b) { \
            asm volatile(__VA_ARGS__ : "+r"(d) : "r"(a), "r"(b));         \
        }                                                                 \
    };
FORM(fma_f16x2, "fma.rn.f16x2 %0, %1, %2, %0;")
FORM(fma_bf16x2, "fma.rn.bf16x2 %0, %1, %2, %0;")
FORM(
    fma_f16,
    "{.reg .b16 d, a, b, h; mov.b32 {d, h}, %0; mov.b32 {a, h}, %1; mov.b32 {b, h}, %2; fma.rn.f16 d, a, b, d; mov.b32 "
    "%0, {d, d};}")
FORM(dp4a, "dp4a.s32.s32 %0, %1, %2, %0;")
FORM(mad_s32, "mad.lo.s32 %0, %1, %2, %0;")
FORM(f16_to_f32, "{.reg .b16 l, h; .reg .f32 f; mov.b32 {l, h}, %0; cvt.f32.f16 f, l; mov.b32 %0, f;}")
FORM(bf16_to_f32, "{.reg .b16 l, h; .reg .f32 f; mov.b32 {l, h}, %0; cvt.f32.bf16 f, l; mov.b32 %0, f;}")

constexpr int kSteps = 256, kChains = 8, kWarps = 16;

template <class Form, int kEach>
__global__ void run(long long* cycles, unsigned* out) {
    unsigned d[kEach];
    for (int c = 0; c < kEach; ++c) d[c] = threadIdx.x + c;
    const unsigned a = threadIdx.x, b = threadIdx.x * 3 + 1;
    __syncthreads();
    const long long start = clock64();
    for (int i = 0; i < kSteps; i += 4)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int c = 0; c < kEach; ++c) Form::run(d[c], a, b);
    __syncthreads();
    const long long end = clock64();
    unsigned sum = 0;
    for (const unsigned word : d) sum += word;
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0) *cycles = end - start;
}

template <class Form>
void measure(long long* cycles, unsigned* out) {
    double best[2] = {1e9, 1e9};
    for (int i = 0; i < 3; ++i) {
        run<Form, 1><<<1, 32>>>(cycles, out);
        cudaDeviceSynchronize();
        best[0] = std::min(best[0], static_cast<double>(*cycles) / kSteps);
        run<Form, kChains><<<1, 32 * kWarps>>>(cycles, out);
        cudaDeviceSynchronize();
        best[1] = std::min(best[1], static_cast<double>(*cycles) / kSteps / kChains / kWarps);
    }
    std::printf("%s link %.1f each %.3f %s\n", Form::kName, best[0], best[1], cudaGetErrorString(cudaGetLastError()));
}

}  // namespace

int main() {
    long long* cycles = nullptr;
    unsigned* out = nullptr;
    cudaMallocManaged(&cycles, sizeof *cycles);
    cudaMalloc(&out, 4096);
    measure<fma_f16x2>(cycles, out);
    measure<fma_bf16x2>(cycles, out);
    measure<fma_f16>(cycles, out);
    measure<dp4a>(cycles, out);
    measure<mad_s32>(cycles, out);
    measure<f16_to_f32>(cycles, out);
    measure<bf16_to_f32>(cycles, out);
    return 0;
}
