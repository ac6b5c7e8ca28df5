// How fast wgmma is, dense and sparse, and what a profiler counts of it: products by type, width, where A comes from,
// and how shared memory is laid out.
//
// usage: wgmma_rates           a line for each launch: name, cycles of one product after the other of one group of
//                              warps, cycles that an SM takes for each of many
//        wgmma_rates count     one launch of each with a block of one group, for a profiler; prints their names
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

#include "wgmma_descriptor.h"
#include "wgmma_registers.h"

namespace {

using Word = std::uint32_t;

constexpr unsigned kGroup = 128, kBytes = 96 * 1024;
constexpr int kSteps = 64;

// Four products, one group of them waited for at the end.
#define FORM_OF(name, kind, n, words, text, left, more_operands, tail)                                               \
    struct name {                                                                                                    \
        static constexpr const char* kName = #name;                                                                  \
        static __device__ void run(int steps, std::uint64_t at_a, std::uint64_t at_b, const Word* a, Word* out) {    \
            asm volatile(                                                                                            \
                "{\n.reg .pred more;\n.reg .b32 d<128>;\n.reg .b64 sums;\n.reg .s32 i;\n.reg .b32 sparse;\nmov.b32 " \
                "sparse, 0x44444444;\n"                                                                              \
                "mov.b64 sums, %7;\n" WGMMA_LOAD_##words "mov.s32 i, %6;\nagain_" #name                              \
                                                         ":\n"                                                       \
                                                         "wgmma.fence.sync.aligned;\n"                               \
                                                         "wgmma.mma_async" kind "sync.aligned.m64n" #n text          \
                                                         " {" WGMMA_NAMES_##words                                    \
                "}, " left ", %1, " more_operands "1" tail                                                           \
                ";\n"                                                                                                \
                "wgmma.mma_async" kind "sync.aligned.m64n" #n text " {" WGMMA_NAMES_##words                          \
                "}, " left ", %1, " more_operands "1" tail                                                           \
                ";\n"                                                                                                \
                "wgmma.mma_async" kind "sync.aligned.m64n" #n text " {" WGMMA_NAMES_##words                          \
                "}, " left ", %1, " more_operands "1" tail                                                           \
                ";\n"                                                                                                \
                "wgmma.mma_async" kind "sync.aligned.m64n" #n text " {" WGMMA_NAMES_##words                          \
                "}, " left ", %1, " more_operands "1" tail                                                           \
                ";\n"                                                                                                \
                "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                               \
                "sub.s32 i, i, 1;\nsetp.ne.s32 more, i, 0;\n@more bra again_" #name ";\n" WGMMA_STORE_##words        \
                "}" ::"l"(at_a),                                                                                     \
                "l"(at_b), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(steps), "l"(out)                          \
                : "memory");                                                                                         \
        }                                                                                                            \
    };
#define FORM(name, n, words, text, left, tail) FORM_OF(name, ".", n, words, text, left, "", tail)
// Of sparse matrices A's metadata is the same word in all lanes: the first two of four.
#define SPARSE(name, n, words, text, left, tail) FORM_OF(name, ".sp.", n, words, text, left, "sparse, 0, ", tail)
#define REGISTERS "{%2,%3,%4,%5}"
FORM(f16_n8, 8, 4, "k16.f32.f16.f16", "%0", ", 1, 1, 0, 0")
FORM(f16_n16, 16, 8, "k16.f32.f16.f16", "%0", ", 1, 1, 0, 0")
FORM(f16_n32, 32, 16, "k16.f32.f16.f16", "%0", ", 1, 1, 0, 0")
FORM(f16_n64, 64, 32, "k16.f32.f16.f16", "%0", ", 1, 1, 0, 0")
FORM(f16_n128, 128, 64, "k16.f32.f16.f16", "%0", ", 1, 1, 0, 0")
FORM(f16_n192, 192, 96, "k16.f32.f16.f16", "%0", ", 1, 1, 0, 0")
FORM(f16_n256, 256, 128, "k16.f32.f16.f16", "%0", ", 1, 1, 0, 0")
FORM(f16_sums_n128, 128, 32, "k16.f16.f16.f16", "%0", ", 1, 1, 0, 0")
FORM(f16_turned_n128, 128, 64, "k16.f32.f16.f16", "%0", ", 1, 1, 1, 1")
FORM(bf16_n128, 128, 64, "k16.f32.bf16.bf16", "%0", ", 1, 1, 0, 0")
FORM(tf32_n128, 128, 64, "k8.f32.tf32.tf32", "%0", ", 1, 1")
FORM(e4m3_n128, 128, 64, "k32.f32.e4m3.e4m3", "%0", ", 1, 1")
FORM(s8_n128, 128, 64, "k32.s32.s8.s8", "%0", "")
FORM(b1_n128, 128, 64, "k256.s32.b1.b1.and.popc", "%0", "")
FORM(f16_registers_n8, 8, 4, "k16.f32.f16.f16", REGISTERS, ", 1, 1, 0")
FORM(f16_registers_n64, 64, 32, "k16.f32.f16.f16", REGISTERS, ", 1, 1, 0")
FORM(f16_registers_n128, 128, 64, "k16.f32.f16.f16", REGISTERS, ", 1, 1, 0")
FORM(f16_registers_n256, 256, 128, "k16.f32.f16.f16", REGISTERS, ", 1, 1, 0")
FORM(e4m3_registers_n128, 128, 64, "k32.f32.e4m3.e4m3", REGISTERS, ", 1, 1")
SPARSE(sparse_f16_n8, 8, 4, "k32.f32.f16.f16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_f16_n16, 16, 8, "k32.f32.f16.f16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_f16_n32, 32, 16, "k32.f32.f16.f16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_f16_n64, 64, 32, "k32.f32.f16.f16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_f16_n128, 128, 64, "k32.f32.f16.f16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_f16_n192, 192, 96, "k32.f32.f16.f16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_f16_n256, 256, 128, "k32.f32.f16.f16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_f16_sums_n128, 128, 32, "k32.f16.f16.f16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_f16_turned_n128, 128, 64, "k32.f32.f16.f16", "%0", ", 1, 1, 0, 1")
SPARSE(sparse_bf16_n128, 128, 64, "k32.f32.bf16.bf16", "%0", ", 1, 1, 0, 0")
SPARSE(sparse_tf32_n64, 64, 32, "k16.f32.tf32.tf32", "%0", ", 1, 1")
SPARSE(sparse_tf32_n128, 128, 64, "k16.f32.tf32.tf32", "%0", ", 1, 1")
SPARSE(sparse_e4m3_n64, 64, 32, "k64.f32.e4m3.e4m3", "%0", ", 1, 1")
SPARSE(sparse_e4m3_n128, 128, 64, "k64.f32.e4m3.e4m3", "%0", ", 1, 1")
SPARSE(sparse_e4m3_n256, 256, 128, "k64.f32.e4m3.e4m3", "%0", ", 1, 1")
SPARSE(sparse_e5m2_sums_n128, 128, 32, "k64.f16.e5m2.e5m2", "%0", ", 1, 1")
SPARSE(sparse_s8_n8, 8, 4, "k64.s32.s8.s8", "%0", "")
SPARSE(sparse_s8_n128, 128, 64, "k64.s32.s8.s8", "%0", "")
SPARSE(sparse_f16_registers_n8, 8, 4, "k32.f32.f16.f16", REGISTERS, ", 1, 1, 0")
SPARSE(sparse_f16_registers_n64, 64, 32, "k32.f32.f16.f16", REGISTERS, ", 1, 1, 0")
SPARSE(sparse_f16_registers_n128, 128, 64, "k32.f32.f16.f16", REGISTERS, ", 1, 1, 0")
SPARSE(sparse_f16_registers_n256, 256, 128, "k32.f32.f16.f16", REGISTERS, ", 1, 1, 0")
SPARSE(sparse_tf32_registers_n128, 128, 64, "k16.f32.tf32.tf32", REGISTERS, ", 1, 1")
SPARSE(sparse_e4m3_registers_n128, 128, 64, "k64.f32.e4m3.e4m3", REGISTERS, ", 1, 1")
SPARSE(sparse_s8_registers_n128, 128, 64, "k64.s32.s8.s8", REGISTERS, "")

template <class Form>
__global__ void __launch_bounds__(256) products(Layout of_a, Layout of_b, int steps, long long* cycles, Word* out) {
    extern __shared__ __align__(1024) unsigned char bytes[];
    for (unsigned i = threadIdx.x; i < kBytes / 4; i += blockDim.x) reinterpret_cast<Word*>(bytes)[i] = 0;
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(bytes));
    const Word a[4] = {threadIdx.x & 1, 0, 0, 0};
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    const long long start = clock64();
    Form::run(steps, descriptor(base, of_a), descriptor(base + 32 * 1024, of_b), a, out + threadIdx.x * 128);
    __syncthreads();
    if (threadIdx.x == 0) *cycles = clock64() - start;
}

bool counts = false;
long long* cycles = nullptr;
Word* out = nullptr;

template <class Form>
void measure(const char* layout, const Layout& of_a, const Layout& of_b) {
    cudaFuncSetAttribute(products<Form>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
    const auto run = [&](unsigned threads, int steps) {
        products<Form><<<1, threads, kBytes>>>(of_a, of_b, steps, cycles, out);
        cudaDeviceSynchronize();
        return static_cast<double>(*cycles);
    };
    if (counts) {
        run(kGroup, kSteps);
        std::printf("%s %s %s\n", Form::kName, layout, cudaGetErrorString(cudaGetLastError()));
        return;
    }
    double best[2] = {1e12, 1e12};
    for (int i = 0; i < 3; ++i)
        for (unsigned groups = 1; groups <= 2; ++groups) {
            const double less = run(groups * kGroup, kSteps), more = run(groups * kGroup, 3 * kSteps);
            best[groups - 1] = std::min(best[groups - 1], (more - less) / (2 * kSteps * 4) / groups);
        }
    std::printf("%s %s alone %.1f each %.1f %s\n", Form::kName, layout, best[0], best[1],
                cudaGetErrorString(cudaGetLastError()));
}

}  // namespace

int main(int argc, char** argv) {
    counts = argc > 1 && std::strcmp(argv[1], "count") == 0;
    cudaMallocManaged(&cycles, sizeof *cycles);
    cudaMalloc(&out, 256 * 128 * 4);
    cudaMemset(out, 0, 256 * 128 * 4);
    const Layout none{0, 1024, 128}, by32{3, 0, 256}, by64{2, 0, 512}, by128{1, 0, 1024};
    // Rows of 128 bytes that no swizzle spreads over the banks, and two ways that are right by chance.
    const Layout same_banks{0, 128, 1024}, near{0, 16, 128}, together{0, 4096, 128};
    measure<f16_n8>("128", by128, by128);
    measure<f16_n16>("128", by128, by128);
    measure<f16_n32>("128", by128, by128);
    measure<f16_n64>("128", by128, by128);
    measure<f16_n128>("128", by128, by128);
    measure<f16_n192>("128", by128, by128);
    measure<f16_n256>("128", by128, by128);
    measure<f16_n128>("none", none, none);
    measure<f16_n128>("none-far", together, together);
    measure<f16_n128>("32", by32, by32);
    measure<f16_n128>("64", by64, by64);
    measure<f16_n128>("same-banks", same_banks, same_banks);
    measure<f16_n128>("near", near, near);
    measure<f16_n128>("128-b-same-banks", by128, same_banks);
    measure<f16_n128>("128-a-same-banks", same_banks, by128);
    measure<f16_n64>("same-banks", same_banks, same_banks);
    measure<f16_n8>("same-banks", same_banks, same_banks);
    measure<f16_turned_n128>("128", by128, by128);
    measure<f16_turned_n128>("none", none, none);
    measure<f16_turned_n128>("32", by32, by32);
    measure<f16_turned_n128>("64", by64, by64);
    measure<f16_sums_n128>("128", by128, by128);
    measure<bf16_n128>("128", by128, by128);
    measure<tf32_n128>("128", by128, by128);
    measure<e4m3_n128>("128", by128, by128);
    measure<s8_n128>("128", by128, by128);
    measure<b1_n128>("128", by128, by128);
    measure<f16_registers_n8>("128", by128, by128);
    measure<f16_registers_n64>("128", by128, by128);
    measure<f16_registers_n128>("128", by128, by128);
    measure<f16_registers_n128>("none", none, none);
    measure<f16_registers_n128>("same-banks", same_banks, same_banks);
    measure<f16_registers_n256>("128", by128, by128);
    measure<e4m3_registers_n128>("128", by128, by128);
    measure<sparse_f16_n8>("128", by128, by128);
    measure<sparse_f16_n16>("128", by128, by128);
    measure<sparse_f16_n32>("128", by128, by128);
    measure<sparse_f16_n64>("128", by128, by128);
    measure<sparse_f16_n128>("128", by128, by128);
    measure<sparse_f16_n192>("128", by128, by128);
    measure<sparse_f16_n256>("128", by128, by128);
    measure<sparse_f16_sums_n128>("128", by128, by128);
    measure<sparse_f16_turned_n128>("128", by128, by128);
    measure<sparse_bf16_n128>("128", by128, by128);
    measure<sparse_tf32_n64>("128", by128, by128);
    measure<sparse_tf32_n128>("128", by128, by128);
    measure<sparse_e4m3_n64>("128", by128, by128);
    measure<sparse_e4m3_n128>("128", by128, by128);
    measure<sparse_e4m3_n256>("128", by128, by128);
    measure<sparse_e5m2_sums_n128>("128", by128, by128);
    measure<sparse_s8_n8>("128", by128, by128);
    measure<sparse_s8_n128>("128", by128, by128);
    measure<sparse_f16_registers_n8>("128", by128, by128);
    measure<sparse_f16_registers_n64>("128", by128, by128);
    measure<sparse_f16_registers_n128>("128", by128, by128);
    measure<sparse_f16_registers_n256>("128", by128, by128);
    measure<sparse_tf32_registers_n128>("128", by128, by128);
    measure<sparse_e4m3_registers_n128>("128", by128, by128);
    measure<sparse_s8_registers_n128>("128", by128, by128);
    measure<sparse_f16_n128>("none", none, none);
    measure<sparse_f16_n128>("same-banks", same_banks, same_banks);
    return 0;
}
