// What wgmma_values.cu and wgmma_sparse_values.cu share: the kernel of a form, a group of four warps for each case, and
// the lines that tell its results.
#pragma once

#include <algorithm>

#include "tensor_program.h"
#include "wgmma_descriptor.h"

constexpr unsigned kRows = 64, kColumns = 8, kGroup = 128, kWordsOfA = 8;

// A form is a product by `run` of the words `a`, or of what lies at `at_a`, and of what lies at `at_b`, of which `e`
// are the metadata.
#define WGMMA_VALUES_FORM(name, ta, tb, tc, words, is_sparse, keeps, run)                                   \
    struct name {                                                                                           \
        static constexpr const char* kName = #name;                                                         \
        static constexpr Type kTypeA = Type::ta, kTypeB = Type::tb, kTypeC = Type::tc;                      \
        static constexpr unsigned kWords = words;                                                           \
        static constexpr bool kIsSparse = is_sparse, kKeeps = keeps;                                        \
        static __device__ void go(Word* d, const Word* a, Word e, std::uint64_t at_a, std::uint64_t at_b) { \
            (void)a, (void)at_a, (void)e;                                                                   \
            run;                                                                                            \
        }                                                                                                   \
    };
// Around a product: whether the sums before count, and that it is waited for.
#define WGMMA_BEGIN(keep) "{\n.reg .pred keep;\nsetp.ne.b32 keep, " keep ", 0;\nwgmma.fence.sync.aligned;\n"
#define WGMMA_END ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n}"

// Row r's word w of a factor, whose elements lie along the depth.
template <Type kType>
__device__ Word factor_word(Kind kind, std::uint64_t of_case, unsigned matrix, unsigned line, unsigned w) {
    return word_of<kType>(w, [=](unsigned along) {
        return matrix == 0 ? element(kType, kind, of_case, 0, line, along)
                           : element(kType, kind, of_case, 1, along, line);
    });
}

// D's words of each case, rows one after the other.
template <class Form>
__global__ void __launch_bounds__(kGroup) multiply(Kind kind, Places places, unsigned cases, Word* out) {
    constexpr unsigned kWordsOfB = Form::kIsSparse ? 16 : 8;
    __shared__ __align__(128) Word a[kRows * kWordsOfA];
    __shared__ __align__(128) Word b[kColumns * kWordsOfB];
    const unsigned thread = threadIdx.x, warp = thread / 32, group = thread % 32 / 4, in_group = thread % 4;
    const std::uint64_t at_a = descriptor(a, kRows * 16), at_b = descriptor(b, kColumns * 16);
    for (unsigned nth = blockIdx.x; nth < cases; nth += gridDim.x) {
        __syncthreads();
        for (unsigned i = thread; i < kRows * kWordsOfA; i += kGroup) {
            const unsigned row = i / kWordsOfA, w = i % kWordsOfA;
            a[w / 4 * kRows * 4 + row * 4 + w % 4] = factor_word<Form::kTypeA>(kind, nth, 0, row, w);
        }
        if (thread < kColumns * kWordsOfB) {
            const unsigned column = thread / kWordsOfB, w = thread % kWordsOfB;
            b[w / 4 * kColumns * 4 + column * 4 + w % 4] = factor_word<Form::kTypeB>(kind, nth, 1, column, w);
        }
        Word in_registers[4], d[4];
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
            in_registers[i] =
                factor_word<Form::kTypeA>(kind, nth, 0, warp * 16 + group + i % 2 * 8, in_group + i / 2 * 4);
        constexpr unsigned kHalves = 4 / Form::kWords;
#pragma unroll
        for (unsigned i = 0; i < Form::kWords; ++i) {
            const unsigned row = warp * 16 + group + i * kHalves / 2 * 8;
            d[i] = 0;
            for (unsigned h = 0; h < kHalves; ++h)
                d[i] |= static_cast<Word>(element(Form::kTypeC, kind, nth, 2, row, in_group * 2 + i * kHalves % 2 + h))
                        << (16 * h);
        }
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        Form::go(d, in_registers, Form::kIsSparse ? metadata(Form::kTypeA, places, nth, thread) : 0, at_a, at_b);
#pragma unroll
        for (unsigned i = 0; i < Form::kWords; ++i) {
            const unsigned row = warp * 16 + group + i * kHalves / 2 * 8;
            for (unsigned h = 0; h < kHalves; ++h) {
                const unsigned column = in_group * 2 + i * kHalves % 2 + h;
                out[(std::size_t{nth} * kRows + row) * kColumns + column] =
                    kHalves == 1 ? d[i] : d[i] >> (16 * h) & 0xffffu;
            }
        }
    }
}

template <class Form>
void measure(const Asked& asked) {
    Results<Word> results(asked, kRows * kColumns);
    const unsigned blocks = std::min(asked.cases, 132u);
    for (unsigned kind = 0; kind < kKinds; ++kind)
        for (unsigned places = 0; places < (Form::kIsSparse ? kPlaces : 1); ++places) {
            multiply<Form><<<blocks, kGroup>>>(static_cast<Kind>(kind), static_cast<Places>(places), asked.cases,
                                               results.on_card());
            if (Form::kIsSparse)
                results.tell({Form::kName, kNames[kind], kPlaceNames[places]});
            else
                results.tell({Form::kName, kNames[kind]});
        }
}
