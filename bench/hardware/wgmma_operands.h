// What wgmma_operands.cu and wgmma_sparse_operands.cu share: configurations of descriptors, the kernel that brings out
// which half of shared memory each element comes from, and the lines that tell it.
//
// Owns: Configuration, drawn(), look(), tell_operands(). The programs bring Sides: how deep B is and what the factor of
// ones holds.
#pragma once

#include <cstring>

#include <cuda_fp16.h>

#include "tensor_program.h"
#include "wgmma_descriptor.h"
#include "wgmma_registers.h"

constexpr unsigned kGroup = 128, kBytes = 200 * 1024, kLines = 64;

struct Configuration {
    unsigned of_a, turned, start;
    Layout layout;
};

// Sums of n columns, whose registers go through memory. `left` is where A is, `tail` the metadata of a sparse one.
#define WGMMA_OF(n, words, way, text, left, right, turns)                                                           \
    asm volatile(                                                                                                   \
        "{\n.reg .pred keep;\n.reg .b32 d<128>;\n.reg .b64 sums;\nmov.b64 sums, %0;\n"                              \
        "setp.ne.b32 keep, 0, 0;\n" WGMMA_LOAD_##words                                                              \
        "wgmma.fence.sync.aligned;\n"                                                                               \
        "wgmma.mma_async" way ".aligned.m64n" #n text " {" WGMMA_NAMES_##words                                      \
        "}, " left ", " right ", keep, 1, 1" turns                                                                  \
        ";\n"                                                                                                       \
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" WGMMA_STORE_##words "}" ::"l"(sums), \
        "l"(at_b), "l"(at_a), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(e)                                    \
        : "memory")
// Of 16 columns with A in shared memory, and of 64 with A in registers.
#define WGMMA_SIDES(way, text, right)                                                                             \
    static __device__ void multiply_16(bool turned, Word* sums, std::uint64_t at_a, std::uint64_t at_b, Word e) { \
        const Word a[4] = {};                                                                                     \
        if (turned)                                                                                               \
            WGMMA_OF(16, 8, way, text, "%2", right, ", 1, 0");                                                    \
        else                                                                                                      \
            WGMMA_OF(16, 8, way, text, "%2", right, ", 0, 0");                                                    \
    }                                                                                                             \
    static __device__ void multiply_64(bool turned, Word* sums, const Word* a, std::uint64_t at_b, Word e) {      \
        const std::uint64_t at_a = 0;                                                                             \
        if (turned)                                                                                               \
            WGMMA_OF(64, 32, way, text, "{%3,%4,%5,%6}", right, ", 1");                                           \
        else                                                                                                      \
            WGMMA_OF(64, 32, way, text, "{%3,%4,%5,%6}", right, ", 0");                                           \
    }

// Of each element of 64 lines by the depth: which half it is.
template <class Sides>
__global__ void __launch_bounds__(kGroup) look(const Configuration* all, Word* out, Word* scratch) {
    constexpr unsigned kDepth = Sides::kDepth, kOnes = kDepth * 32;
    extern __shared__ __half halves[];
    const Configuration c = all[blockIdx.x];
    const unsigned thread = threadIdx.x, warp = thread / 32, group = thread % 32 / 4, in_group = thread % 4;
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(halves));
    Word* const map = out + std::size_t{blockIdx.x} * kLines * kDepth;
    for (unsigned pass = 0; pass < 2; ++pass) {
        __syncthreads();
        for (unsigned i = thread; i < (kBytes - kOnes) / 2; i += kGroup)
            halves[i] = __ushort2half_rn(pass == 0 ? i % 512 : i / 512);
        // 16 columns of B: rows of 16 bytes, chunks of the depth 256 bytes apart.
        __half* const ones = halves + (kBytes - kOnes) / 2;
        for (unsigned i = thread; i < kOnes / 2; i += kGroup)
            ones[i] = __ushort2half_rn(Sides::is_one_of_b(i % 128 / 8, i / 128 * 8 + i % 8) ? 1 : 0);
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        Word a[4];
        for (unsigned i = 0; i < 4; ++i)
            a[i] = Sides::words_of_a(warp * 16 + group + i % 2 * 8, in_group * 2 + i / 2 * 8);
        const Word e = Sides::places(c.of_a != 0, group);
        Word* const sums = scratch + (std::size_t{blockIdx.x} * kGroup + thread) * 32;
        if (c.of_a != 0) {
            Sides::multiply_16(c.turned != 0, sums, descriptor(base + c.start, c.layout),
                               descriptor(base + kBytes - kOnes, Layout{0, 256, 128, 0}), e);
            for (unsigned i = 0; i < 8; ++i) {
                const unsigned row = warp * 16 + group + i / 2 % 2 * 8, column = i / 4 * 8 + in_group * 2 + i % 2;
                map[row * kDepth + column] += static_cast<Word>(__uint_as_float(sums[i])) * (pass == 0 ? 1u : 512u);
            }
        } else {
            Sides::multiply_64(c.turned != 0, sums, a, descriptor(base + c.start, c.layout), e);
            // Each row has one place of the depth.
            if (warp >= kDepth / 16) continue;
            for (unsigned i = 0; i < 32; ++i) {
                const unsigned row = warp * 16 + group + i / 2 % 2 * 8, column = i / 4 * 8 + in_group * 2 + i % 2;
                map[column * kDepth + row] += static_cast<Word>(__uint_as_float(sums[i])) * (pass == 0 ? 1u : 512u);
            }
        }
    }
}

// Some as programs have them, others of any strides and starts, or such that pass a descriptor's end.
inline Configuration drawn(unsigned n, bool wraps) {
    const auto draw = [&](unsigned salt, unsigned below) {
        return static_cast<unsigned>(mixed(mixed(n) ^ salt) % below);
    };
    Configuration c{n % 2, n / 2 % 2, 0, {n / 4 % 4, 0, 0, 0}};
    if (wraps) {
        c.start = 0x10000 + draw(1, 1024) * 16;
        c.layout.leading = n % 3 == 0 ? 0x40000 - (1 + draw(2, 128)) * 16 : draw(2, 128) * 16;
        c.layout.stride = 0x40000 - (1 + draw(3, 256)) * 16;
        return c;
    }
    const bool is_usual = n / 16 % 2 == 0;
    if (is_usual) {
        c.start = draw(1, 16) * 1024 + (c.turned == 0 ? draw(4, 4) * 32 : 0);
        c.layout.leading = (1 + draw(2, 8)) * 1024;
        c.layout.stride = (1 + draw(3, 8)) * 1024;
        return c;
    }
    c.start = draw(1, 4096) * 16;
    c.layout.leading = draw(2, 512) * 16;
    c.layout.stride = draw(3, 512) * 16;
    c.layout.base = draw(5, 3) == 0 ? draw(6, 8) : 0;
    return c;
}

// The program: arguments to lines. Exit status.
template <class Sides>
int tell_operands(int argc, char** argv, const char* usage) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s\n", usage);
        return 2;
    }
    constexpr unsigned kElements = kLines * Sides::kDepth;
    const unsigned count = static_cast<unsigned>(std::atoi(argv[1]));
    const char* dump = nullptr;
    bool wraps = false;
    for (int i = 2; i < argc; ++i) {
        if (std::strcmp(argv[i], "--wrap") == 0) wraps = true;
        if (std::strcmp(argv[i], "--dump") == 0 && i + 1 < argc) dump = argv[++i];
    }
    std::vector<Configuration> all;
    for (unsigned n = 0; n < count; ++n) all.push_back(drawn(n, wraps));
    Configuration* on_device = nullptr;
    Word *out = nullptr, *scratch = nullptr;
    const std::size_t words = std::size_t{count} * kElements;
    check(cudaMalloc(&on_device, count * sizeof(Configuration)));
    check(cudaMalloc(&out, words * 4));
    check(cudaMalloc(&scratch, std::size_t{count} * kGroup * 32 * 4));
    check(cudaMemset(out, 0, words * 4));
    check(cudaMemset(scratch, 0, std::size_t{count} * kGroup * 32 * 4));
    check(cudaMemcpy(on_device, all.data(), count * sizeof(Configuration), cudaMemcpyHostToDevice));
    check(cudaFuncSetAttribute(look<Sides>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
    look<Sides><<<count, kGroup, kBytes>>>(on_device, out, scratch);
    check(cudaGetLastError());
    std::vector<Word> host(words);
    check(cudaMemcpy(host.data(), out, words * 4, cudaMemcpyDeviceToHost));
    for (unsigned n = 0; n < count; ++n) {
        const Configuration& c = all[n];
        std::printf("%s turned %u swizzle %u start %u leading %u stride %u base %u %016llx\n", c.of_a != 0 ? "A" : "B",
                    c.turned, c.layout.swizzle, c.start, c.layout.leading, c.layout.stride, c.layout.base,
                    digest_of(host.data() + n * kElements, kElements));
    }
    if (dump != nullptr) {
        std::FILE* file = std::fopen(dump, "wb");
        std::fwrite(host.data(), 4, words, file);
        std::fclose(file);
    }
    return 0;
}
