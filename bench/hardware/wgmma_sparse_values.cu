// What wgmma gives of sparse matrices, form by form: a group of four warps for each case, whose matrices and metadata
// tensor_elements.h makes.
//
// usage: wgmma_sparse_values CASES [--form NAME] [--dump FOLDER]
//
// A line for each form, kind of numbers and kind of metadata: their names, cases, digest of D's words by case and row.
// All forms have eight columns: wgmma_sparse_shapes.cu has the others.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "tensor_elements.h"

namespace {

using Word = std::uint32_t;

constexpr unsigned kRows = 64, kColumns = 8, kGroup = 128, kWordsOfA = 8, kWordsOfB = 16;

#define BEGIN(keep) "{\n.reg .pred keep;\nsetp.ne.b32 keep, " keep ", 0;\nwgmma.fence.sync.aligned;\n"
#define END ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n}"
#define RUN_2(text, selector, tail)                                                                          \
    asm volatile(BEGIN("%5") "wgmma.mma_async.sp.sync.aligned.m64n8" text " {%0,%1}, %2, %3, %4, " #selector \
                             ", keep" tail END                                                               \
                 : "+r"(d[0]), "+r"(d[1])                                                                    \
                 : "l"(at_a), "l"(at_b), "r"(e), "r"(1)                                                      \
                 : "memory")
#define RUN_4(text, selector, tail)                                                                                \
    asm volatile(BEGIN("%7") "wgmma.mma_async.sp.sync.aligned.m64n8" text " {%0,%1,%2,%3}, %4, %5, %6, " #selector \
                             ", keep" tail END                                                                     \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                  \
                 : "l"(at_a), "l"(at_b), "r"(e), "r"(1)                                                            \
                 : "memory")
#define RUN_R(text, selector, tail)                                                                 \
    asm volatile(BEGIN("%10") "wgmma.mma_async.sp.sync.aligned.m64n8" text                          \
                              " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, %9, " #selector ", keep" tail END \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                   \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(at_b), "r"(e), "r"(1)            \
                 : "memory")

#define FORM_OF(name, ta, tb, tc, words, run)                                                               \
    struct name {                                                                                           \
        static constexpr const char* kName = #name;                                                         \
        static constexpr Type kTypeA = Type::ta, kTypeB = Type::tb, kTypeC = Type::tc;                      \
        static constexpr unsigned kWords = words;                                                           \
        static __device__ void go(Word* d, const Word* a, Word e, std::uint64_t at_a, std::uint64_t at_b) { \
            (void)a, (void)at_a;                                                                            \
            run;                                                                                            \
        }                                                                                                   \
    };
#define FORM4(name, ta, tb, tc, text, selector, tail) FORM_OF(name, ta, tb, tc, 4, RUN_4(text, selector, tail))
#define FORM2(name, ta, tb, text, selector, tail) FORM_OF(name, ta, tb, kF16, 2, RUN_2(text, selector, tail))
#define FORM_R(name, ta, tb, tc, text, selector, tail) FORM_OF(name, ta, tb, tc, 4, RUN_R(text, selector, tail))

// clang-format off
#define EACH_FORM(X4, X2, XR) \
    X4(f16_f32, kF16, kF16, kF32, "k32.f32.f16.f16", 0, ", 1, 1, 0, 0") \
    X4(f16_f32_1, kF16, kF16, kF32, "k32.f32.f16.f16", 1, ", 1, 1, 0, 0") \
    X2(f16_f16, kF16, kF16, "k32.f16.f16.f16", 0, ", 1, 1, 0, 0") \
    X4(bf16_f32, kBf16, kBf16, kF32, "k32.f32.bf16.bf16", 1, ", 1, 1, 0, 0") \
    X4(tf32_f32, kTf32, kTf32, kF32, "k16.f32.tf32.tf32", 0, ", 1, 1") \
    X4(tf32_f32_1, kTf32, kTf32, kF32, "k16.f32.tf32.tf32", 1, ", 1, 1") \
    X4(e4m3_f32, kE4m3, kE4m3, kF32, "k64.f32.e4m3.e4m3", 0, ", 1, 1") \
    X4(e5m2_f32, kE5m2, kE5m2, kF32, "k64.f32.e5m2.e5m2", 0, ", 1, 1") \
    X4(e4m3_e5m2_f32, kE4m3, kE5m2, kF32, "k64.f32.e4m3.e5m2", 0, ", 1, 1") \
    X4(e5m2_e4m3_f32, kE5m2, kE4m3, kF32, "k64.f32.e5m2.e4m3", 0, ", 1, 1") \
    X2(e4m3_f16, kE4m3, kE4m3, "k64.f16.e4m3.e4m3", 0, ", 1, 1") \
    X2(e5m2_f16, kE5m2, kE5m2, "k64.f16.e5m2.e5m2", 0, ", 1, 1") \
    X4(s8_s32, kS8, kS8, kS32, "k64.s32.s8.s8", 0, "") \
    X4(u8_s32, kU8, kU8, kS32, "k64.s32.u8.u8", 0, "") \
    X4(s8_u8_sat, kS8, kU8, kS32, "k64.s32.s8.u8.satfinite", 0, "") \
    X4(u8_s8_sat, kU8, kS8, kS32, "k64.s32.u8.s8.satfinite", 0, "") \
    X4(f16_minus_a, kF16, kF16, kF32, "k32.f32.f16.f16", 0, ", -1, 1, 0, 0") \
    X4(tf32_minus_both, kTf32, kTf32, kF32, "k16.f32.tf32.tf32", 0, ", -1, -1") \
    X2(e4m3_minus_b, kE4m3, kE4m3, "k64.f16.e4m3.e4m3", 0, ", 1, -1") \
    XR(f16_registers, kF16, kF16, kF32, "k32.f32.f16.f16", 0, ", 1, 1, 0") \
    XR(bf16_registers_1, kBf16, kBf16, kF32, "k32.f32.bf16.bf16", 1, ", 1, 1, 0") \
    XR(tf32_registers, kTf32, kTf32, kF32, "k16.f32.tf32.tf32", 0, ", 1, 1") \
    XR(e5m2_registers, kE5m2, kE4m3, kF32, "k64.f32.e5m2.e4m3", 0, ", 1, 1") \
    XR(s8_registers, kS8, kS8, kS32, "k64.s32.s8.s8", 0, "")
// clang-format on
EACH_FORM(FORM4, FORM2, FORM_R)

// Rows of 16 bytes, eight of them together, without a swizzle: chunks of the depth lie `chunk` bytes apart.
__device__ std::uint64_t descriptor(const void* at, unsigned chunk) {
    const std::uint64_t address = __cvta_generic_to_shared(at);
    return (address & 0x3ffff) >> 4 | std::uint64_t{chunk >> 4} << 16 | std::uint64_t{128 >> 4} << 32;
}

// Row r's word w of a factor, whose elements lie along the depth.
template <Type kType>
__device__ Word word_of(Kind kind, std::uint64_t of_case, unsigned matrix, unsigned line, unsigned w) {
    constexpr unsigned kBits = kType == Type::kTf32 ? 32 : bits_of(kType), kEach = 32 / kBits;
    Word word = 0;
    for (unsigned i = 0; i < kEach; ++i) {
        const unsigned along = w * kEach + i;
        const std::uint64_t bits =
            matrix == 0 ? element(kType, kind, of_case, 0, line, along) : element(kType, kind, of_case, 1, along, line);
        word |= static_cast<Word>(bits) << (i * kBits % 32);
    }
    return word;
}

// D's words of each case, rows one after the other.
template <class Form>
__global__ void __launch_bounds__(kGroup) multiply(Kind kind, Places places, unsigned cases, Word* out) {
    __shared__ __align__(128) Word a[kRows * kWordsOfA];
    __shared__ __align__(128) Word b[kColumns * kWordsOfB];
    const unsigned thread = threadIdx.x, warp = thread / 32, group = thread % 32 / 4, in_group = thread % 4;
    const std::uint64_t at_a = descriptor(a, kRows * 16), at_b = descriptor(b, kColumns * 16);
    for (unsigned nth = blockIdx.x; nth < cases; nth += gridDim.x) {
        __syncthreads();
        for (unsigned i = thread; i < kRows * kWordsOfA; i += kGroup) {
            const unsigned row = i / kWordsOfA, w = i % kWordsOfA;
            a[w / 4 * kRows * 4 + row * 4 + w % 4] = word_of<Form::kTypeA>(kind, nth, 0, row, w);
        }
        const unsigned column = thread / kWordsOfB, w = thread % kWordsOfB;
        b[w / 4 * kColumns * 4 + column * 4 + w % 4] = word_of<Form::kTypeB>(kind, nth, 1, column, w);
        Word in_registers[4], d[4];
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
            in_registers[i] = word_of<Form::kTypeA>(kind, nth, 0, warp * 16 + group + i % 2 * 8, in_group + i / 2 * 4);
        constexpr unsigned kHalves = 4 / Form::kWords;
#pragma unroll
        for (unsigned i = 0; i < Form::kWords; ++i) {
            const unsigned row = warp * 16 + group + i * kHalves / 2 * 8;
            d[i] = 0;
            for (unsigned e = 0; e < kHalves; ++e)
                d[i] |= static_cast<Word>(element(Form::kTypeC, kind, nth, 2, row, in_group * 2 + i * kHalves % 2 + e))
                        << (16 * e);
        }
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        Form::go(d, in_registers, metadata(Form::kTypeA, places, nth, thread), at_a, at_b);
#pragma unroll
        for (unsigned i = 0; i < Form::kWords; ++i) {
            const unsigned row = warp * 16 + group + i * kHalves / 2 * 8;
            for (unsigned e = 0; e < kHalves; ++e) {
                const unsigned column_of = in_group * 2 + i * kHalves % 2 + e;
                out[(std::size_t{nth} * kRows + row) * kColumns + column_of] =
                    kHalves == 1 ? d[i] : d[i] >> (16 * e) & 0xffffu;
            }
        }
    }
}

constexpr const char* kNames[kKinds] = {"alike", "wide", "anything", "cancelling", "sparse", "tiny", "whole", "powers"};

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <class Form>
void measure(unsigned cases, const std::string& folder) {
    const std::size_t words = std::size_t{cases} * kRows * kColumns;
    Word* out = nullptr;
    check(cudaMalloc(&out, words * 4));
    std::vector<Word> host(words);
    const unsigned blocks = std::min(cases, 132u);
    for (unsigned kind = 0; kind < kKinds; ++kind)
        for (unsigned places = 0; places < kPlaces; ++places) {
            multiply<Form><<<blocks, kGroup>>>(static_cast<Kind>(kind), static_cast<Places>(places), cases, out);
            check(cudaGetLastError());
            check(cudaMemcpy(host.data(), out, words * 4, cudaMemcpyDeviceToHost));
            std::uint64_t digest = 0;
            for (const Word word : host) digest = mixed(digest ^ word);
            std::printf("%s %s %s %u %016llx\n", Form::kName, kNames[kind], kPlaceNames[places], cases,
                        static_cast<unsigned long long>(digest));
            if (folder.empty()) continue;
            std::FILE* file =
                std::fopen((folder + "/" + Form::kName + "." + kNames[kind] + "." + kPlaceNames[places]).c_str(), "wb");
            std::fwrite(host.data(), 4, words, file);
            std::fclose(file);
        }
    cudaFree(out);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: wgmma_sparse_values CASES [--form NAME] [--dump FOLDER]\n");
        return 2;
    }
    const unsigned cases = static_cast<unsigned>(std::atoi(argv[1]));
    std::string form, folder;
    for (int i = 2; i + 1 < argc; i += 2) (std::strcmp(argv[i], "--form") == 0 ? form : folder) = argv[i + 1];
#define MEASURE(name, ...) \
    if (form.empty() || form == #name) measure<name>(cases, folder);
    EACH_FORM(MEASURE, MEASURE, MEASURE)
    return 0;
}
