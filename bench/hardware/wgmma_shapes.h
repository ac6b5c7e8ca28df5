// What wgmma_shapes.cu and wgmma_sparse_shapes.cu share: products of every width, and digests of their sums' registers.
//
// The programs say with WGMMA_RUN, WGMMA_RUN_FEW and WGMMA_FORM which products there are.
#pragma once

#include "tensor_program.h"
#include "wgmma_descriptor.h"
#include "wgmma_registers.h"

constexpr unsigned kRows = 64, kMostColumns = 256, kGroup = 128, kMostWords = 128;

// `way` is .sync or .sp.sync; `factors` %0 and %1, and of a sparse one %3, its metadata, as well.
#define WGMMA_RUN(n, words, way, text, factors, tail)                                                                  \
    asm volatile(                                                                                                      \
        "{\n.reg .pred keep;\n.reg .b32 d<128>;\n.reg .b64 sums;\nmov.b64 sums, %2;\n"                                 \
        "setp.ne.b32 keep, 1, 0;\n" WGMMA_LOAD_##words                                                                 \
        "wgmma.fence.sync.aligned;\n"                                                                                  \
        "wgmma.mma_async" way ".aligned.m64n" #n text " {" WGMMA_NAMES_##words                                         \
        "}, " factors ", keep" tail                                                                                    \
        ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" WGMMA_STORE_##words "}" ::"l"(at_a), \
        "l"(at_b), "l"(sums), "r"(e)                                                                                   \
        : "memory")
// The sums of 8 columns in halves are two registers; they come and go one by one.
#define WGMMA_RUN_FEW(n, way, text, names, factors, tail)                                                    \
    asm volatile(                                                                                            \
        "{\n.reg .pred keep;\n.reg .b32 d<128>;\nsetp.ne.b32 keep, 1, 0;\n"                                  \
        "ld.global.b32 d0, [%2];\nld.global.b32 d1, [%2+4];\nld.global.b32 d2, [%2+8];\n"                    \
        "ld.global.b32 d3, [%2+12];\nld.global.b32 d4, [%2+16];\nld.global.b32 d5, [%2+20];\n"               \
        "wgmma.fence.sync.aligned;\n"                                                                        \
        "wgmma.mma_async" way ".aligned.m64n" #n text " {" names "}, " factors ", keep" tail                 \
        ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                            \
        "st.global.b32 [%2], d0;\nst.global.b32 [%2+4], d1;\nst.global.b32 [%2+8], d2;\n"                    \
        "st.global.b32 [%2+12], d3;\nst.global.b32 [%2+16], d4;\nst.global.b32 [%2+20], d5;\n}" ::"l"(at_a), \
        "l"(at_b), "l"(sums), "r"(e)                                                                         \
        : "memory")

#define WGMMA_FORM(name, factor, sum, columns, is_sparse, run)                                         \
    struct name##_##columns {                                                                          \
        static constexpr const char* kName = #name;                                                    \
        static constexpr Type kFactor = Type::factor, kSum = Type::sum;                                \
        static constexpr unsigned kColumns = columns;                                                  \
        static constexpr bool kIsSparse = is_sparse;                                                   \
        static __device__ void go(Word* sums, std::uint64_t at_a, std::uint64_t at_b, Word e) { run; } \
    };

// Columns, and words of the sums in a thread.
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

template <Type kType>
__device__ Word whole_word(unsigned matrix, unsigned line, unsigned w) {
    return word_of<kType>(w, [=](unsigned along) { return element(kType, kWhole, 0, matrix, line, along); });
}

template <class Form>
__global__ void __launch_bounds__(kGroup) multiply(Word* all) {
    constexpr unsigned kWordsOfB = Form::kIsSparse ? 16 : 8;
    __shared__ __align__(128) Word a[kRows * 8];
    __shared__ __align__(128) Word b[kMostColumns * kWordsOfB];
    for (unsigned i = threadIdx.x; i < kRows * 8; i += kGroup)
        a[i % 8 / 4 * kRows * 4 + i / 8 * 4 + i % 4] = whole_word<Form::kFactor>(0, i / 8, i % 8);
    for (unsigned i = threadIdx.x; i < Form::kColumns * kWordsOfB; i += kGroup)
        b[i % kWordsOfB / 4 * Form::kColumns * 4 + i / kWordsOfB * 4 + i % 4] =
            whole_word<Form::kFactor>(1, i / kWordsOfB, i % kWordsOfB);
    Word* const sums = all + threadIdx.x * kMostWords;
    for (unsigned i = 0; i < kMostWords; ++i)
        sums[i] = static_cast<Word>(element(Form::kSum, kWhole, 1, 2, threadIdx.x, i));
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    Form::go(sums, descriptor(a, kRows * 16), descriptor(b, Form::kColumns * 16),
             Form::kIsSparse ? metadata(Form::kFactor, kOrdered, 0, threadIdx.x) : 0);
}

template <class Form>
void measure(Word* out) {
    multiply<Form><<<1, kGroup>>>(out);
    check(cudaGetLastError());
    std::vector<Word> host(kGroup * kMostWords);
    check(cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost));
    std::printf("%s %u %016llx\n", Form::kName, Form::kColumns, digest_of(host.data(), host.size()));
}
// Room for the sums of a group, and all forms of the types that have every width.
inline Word* room_for_sums() {
    Word* out = nullptr;
    check(cudaMalloc(&out, kGroup * kMostWords * 4));
    return out;
}
#define MEASURE_SINGLES(n, words) \
    measure<f16_f32_##n>(out), measure<bf16_f32_##n>(out), measure<tf32_f32_##n>(out), measure<e4m3_f32_##n>(out);
#define MEASURE_HALVES(n, words) measure<f16_f16_##n>(out);
#define MEASURE_FLOATS           \
    EACH_SINGLE(MEASURE_SINGLES) \
    EACH_HALF(MEASURE_HALVES)    \
    MEASURE_HALVES(8, 2)         \
    MEASURE_HALVES(24, 6)
