// wgmma of sparse matrices, of every width: what each of its sums' registers gets. Values are wgmma_sparse_values.cu's
// affair.
//
// usage: wgmma_sparse_shapes      a line for each type and number of columns: name, columns, digest
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include "tensor_elements.h"
#include "wgmma_registers.h"

namespace {

using Word = std::uint32_t;

constexpr unsigned kRows = 64, kMostColumns = 256, kGroup = 128, kMostWords = 128;

#define RUN(n, words, text, tail)                                                                                      \
    asm volatile(                                                                                                      \
        "{\n.reg .pred keep;\n.reg .b32 d<128>;\n.reg .b64 sums;\nmov.b64 sums, %2;\n"                                 \
        "setp.ne.b32 keep, 1, 0;\n" WGMMA_LOAD_##words                                                                 \
        "wgmma.fence.sync.aligned;\n"                                                                                  \
        "wgmma.mma_async.sp.sync.aligned.m64n" #n text " {" WGMMA_NAMES_##words                                        \
        "}, %0, %1, %3, 0, keep" tail                                                                                  \
        ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" WGMMA_STORE_##words "}" ::"l"(at_a), \
        "l"(at_b), "l"(sums), "r"(e)                                                                                   \
        : "memory")
// The sums of 8 columns in halves are two registers; they come and go one by one.
#define RUN_FEW(n, text, tail)                                                                               \
    asm volatile(                                                                                            \
        "{\n.reg .pred keep;\n.reg .b32 d<128>;\nsetp.ne.b32 keep, 1, 0;\n"                                  \
        "ld.global.b32 d0, [%2];\nld.global.b32 d1, [%2+4];\nld.global.b32 d2, [%2+8];\n"                    \
        "ld.global.b32 d3, [%2+12];\nld.global.b32 d4, [%2+16];\nld.global.b32 d5, [%2+20];\n"               \
        "wgmma.fence.sync.aligned;\n"                                                                        \
        "wgmma.mma_async.sp.sync.aligned.m64n" #n text tail                                                  \
        ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                            \
        "st.global.b32 [%2], d0;\nst.global.b32 [%2+4], d1;\nst.global.b32 [%2+8], d2;\n"                    \
        "st.global.b32 [%2+12], d3;\nst.global.b32 [%2+16], d4;\nst.global.b32 [%2+20], d5;\n}" ::"l"(at_a), \
        "l"(at_b), "l"(sums), "r"(e)                                                                         \
        : "memory")

#define FORM(name, factor, sum, columns, run)                                                          \
    struct name##_##columns {                                                                          \
        static constexpr const char* kName = #name;                                                    \
        static constexpr Type kFactor = Type::factor, kSum = Type::sum;                                \
        static constexpr unsigned kColumns = columns;                                                  \
        static __device__ void go(Word* sums, std::uint64_t at_a, std::uint64_t at_b, Word e) { run; } \
    };
#define SINGLES(n, words)                                                              \
    FORM(f16_f32, kF16, kF32, n, RUN(n, words, "k32.f32.f16.f16", ", 1, 1, 0, 0"))     \
    FORM(bf16_f32, kBf16, kF32, n, RUN(n, words, "k32.f32.bf16.bf16", ", 1, 1, 0, 0")) \
    FORM(tf32_f32, kTf32, kF32, n, RUN(n, words, "k16.f32.tf32.tf32", ", 1, 1"))       \
    FORM(e4m3_f32, kE4m3, kF32, n, RUN(n, words, "k64.f32.e4m3.e4m3", ", 1, 1"))
#define HALVES(n, words) FORM(f16_f16, kF16, kF16, n, RUN(n, words, "k32.f16.f16.f16", ", 1, 1, 0, 0"))
#define WHOLE(n, words) FORM(s8_s32, kS8, kS32, n, RUN(n, words, "k64.s32.s8.s8", ""))

// clang-format off
#define EACH_SINGLE(X) \
    X(8, 4) X(16, 8) X(24, 12) X(32, 16) X(40, 20) X(48, 24) X(56, 28) X(64, 32) \
    X(72, 36) X(80, 40) X(88, 44) X(96, 48) X(104, 52) X(112, 56) X(120, 60) X(128, 64) \
    X(136, 68) X(144, 72) X(152, 76) X(160, 80) X(168, 84) X(176, 88) X(184, 92) X(192, 96) \
    X(200, 100) X(208, 104) X(216, 108) X(224, 112) X(232, 116) X(240, 120) X(248, 124) X(256, 128)
#define EACH_HALF(X) \
    X(16, 4) X(32, 8) X(48, 12) X(64, 16) X(80, 20) X(96, 24) X(112, 28) X(128, 32) \
    X(144, 36) X(160, 40) X(176, 44) X(192, 48) X(208, 52) X(224, 56) X(240, 60) X(256, 64)
#define EACH_WHOLE(X) \
    X(8, 4) X(16, 8) X(24, 12) X(32, 16) X(48, 24) X(64, 32) X(80, 40) X(96, 48) \
    X(112, 56) X(128, 64) X(144, 72) X(160, 80) X(176, 88) X(192, 96) X(208, 104) X(224, 112) \
    X(240, 120) X(256, 128)
// clang-format on
EACH_SINGLE(SINGLES)
EACH_HALF(HALVES)
EACH_WHOLE(WHOLE)
FORM(f16_f16, kF16, kF16, 8, RUN_FEW(8, "k32.f16.f16.f16", " {d0,d1}, %0, %1, %3, 0, keep, 1, 1, 0, 0"))
FORM(f16_f16, kF16, kF16, 24, RUN_FEW(24, "k32.f16.f16.f16", " {d0,d1,d2,d3,d4,d5}, %0, %1, %3, 0, keep, 1, 1, 0, 0"))

// Rows of 16 bytes, eight of them together, without a swizzle: the two chunks of the depth lie `chunk` bytes apart.
__device__ std::uint64_t descriptor(const void* at, unsigned chunk) {
    const std::uint64_t address = __cvta_generic_to_shared(at);
    return (address & 0x3ffff) >> 4 | std::uint64_t{chunk >> 4} << 16 | std::uint64_t{128 >> 4} << 32;
}

template <Type kType>
__device__ Word word_of(unsigned matrix, unsigned line, unsigned w) {
    constexpr unsigned kBits = kType == Type::kTf32 ? 32 : bits_of(kType), kEach = 32 / kBits;
    Word word = 0;
    for (unsigned i = 0; i < kEach; ++i)
        word |= static_cast<Word>(element(kType, kWhole, 0, matrix, line, w * kEach + i)) << (i * kBits % 32);
    return word;
}

template <class Form>
__global__ void __launch_bounds__(kGroup) multiply(Word* all) {
    __shared__ __align__(128) Word a[kRows * 8];
    __shared__ __align__(128) Word b[kMostColumns * 16];
    for (unsigned i = threadIdx.x; i < kRows * 8; i += kGroup)
        a[i % 8 / 4 * kRows * 4 + i / 8 * 4 + i % 4] = word_of<Form::kFactor>(0, i / 8, i % 8);
    for (unsigned i = threadIdx.x; i < Form::kColumns * 16; i += kGroup)
        b[i % 16 / 4 * Form::kColumns * 4 + i / 16 * 4 + i % 4] = word_of<Form::kFactor>(1, i / 16, i % 16);
    Word* const sums = all + threadIdx.x * kMostWords;
    for (unsigned i = 0; i < kMostWords; ++i)
        sums[i] = static_cast<Word>(element(Form::kSum, kWhole, 1, 2, threadIdx.x, i));
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    Form::go(sums, descriptor(a, kRows * 16), descriptor(b, Form::kColumns * 16),
             metadata(Form::kFactor, kOrdered, 0, threadIdx.x));
}

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <class Form>
void measure(Word* out) {
    multiply<Form><<<1, kGroup>>>(out);
    check(cudaGetLastError());
    std::vector<Word> host(kGroup * kMostWords);
    check(cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost));
    std::uint64_t digest = 0;
    for (const Word word : host) digest = mixed(digest ^ word);
    std::printf("%s %u %016llx\n", Form::kName, Form::kColumns, static_cast<unsigned long long>(digest));
}

}  // namespace

int main() {
    Word* out = nullptr;
    check(cudaMalloc(&out, kGroup * kMostWords * 4));
#define MEASURE_SINGLES(n, words) \
    measure<f16_f32_##n>(out), measure<bf16_f32_##n>(out), measure<tf32_f32_##n>(out), measure<e4m3_f32_##n>(out);
#define MEASURE_HALVES(n, words) measure<f16_f16_##n>(out);
#define MEASURE_WHOLE(n, words) measure<s8_s32_##n>(out);
    EACH_SINGLE(MEASURE_SINGLES)
    EACH_HALF(MEASURE_HALVES)
    MEASURE_HALVES(8, 2)
    MEASURE_HALVES(24, 6)
    EACH_WHOLE(MEASURE_WHOLE)
    return 0;
}
