// What wgmma's descriptors mean where A is sparse: which byte of shared memory each element of A, as it is stored, and
// of B, which is twice as deep, comes from, by swizzle, strides, start, base offset and turning over.
//
// usage: wgmma_sparse_operands CONFIGURATIONS [--dump FILE]     a line for each: its descriptor and a digest
//
// Shared memory holds the numbers of its own halves, which another factor of ones brings out, one in each row or
// column.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "tensor_elements.h"
#include "wgmma_registers.h"

namespace {

using Word = std::uint32_t;

constexpr unsigned kGroup = 128, kBytes = 200 * 1024, kOnes = 1024, kLines = 64, kDepth = 32;

struct Configuration {
    unsigned of_a, turned, swizzle, start, leading, stride, base;
};

__device__ std::uint64_t descriptor(unsigned start, const Configuration& c) {
    return (start & 0x3ffff) >> 4 | std::uint64_t{c.leading >> 4 & 0x3fffu} << 16 |
           std::uint64_t{c.stride >> 4 & 0x3fffu} << 32 | std::uint64_t{c.base} << 49 | std::uint64_t{c.swizzle} << 62;
}

// Lanes' words of a matrix of whose row r one stored element is 1: it stands at place r of the depth.
__device__ Word one_of(unsigned row, unsigned stored) {
    const unsigned at = row % kDepth / 4 * 2 + (row % 4 == 3 ? 1 : 0);
    return (at == stored ? 0x3c00u : 0u) | (at == stored + 1 ? 0x3c000000u : 0u);
}
// The metadata to it, the same for rows eight apart.
__device__ Word places_of(unsigned group) {
    constexpr Word kEach[] = {0x44444444u, 0x99999999u, 0xeeeeeeeeu, 0xeeeeeeeeu};
    return kEach[group % 4];
}

#define WGMMA(n, words, left, turns)                                                                                \
    asm volatile(                                                                                                   \
        "{\n.reg .pred keep;\n.reg .b32 d<128>;\n.reg .b64 sums;\nmov.b64 sums, %0;\n"                              \
        "setp.ne.b32 keep, 0, 0;\n" WGMMA_LOAD_##words                                                              \
        "wgmma.fence.sync.aligned;\n"                                                                               \
        "wgmma.mma_async.sp.sync.aligned.m64n" #n "k32.f32.f16.f16 {" WGMMA_NAMES_##words                           \
        "}, " left ", %1, %7, 0, keep, 1, 1" turns                                                                  \
        ";\n"                                                                                                       \
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" WGMMA_STORE_##words "}" ::"l"(sums), \
        "l"(at_b), "l"(at_a), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(e), "r"(e)                            \
        : "memory")

// Of each element of 64 lines by 16: which half it is.
__global__ void __launch_bounds__(kGroup) look(const Configuration* all, Word* out, Word* scratch) {
    extern __shared__ __half halves[];
    const Configuration c = all[blockIdx.x];
    const unsigned thread = threadIdx.x, warp = thread / 32, group = thread % 32 / 4, in_group = thread % 4;
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(halves));
    Word* const map = out + std::size_t{blockIdx.x} * kLines * kDepth;
    for (unsigned pass = 0; pass < 2; ++pass) {
        __syncthreads();
        for (unsigned i = thread; i < (kBytes - kOnes) / 2; i += kGroup)
            halves[i] = __ushort2half_rn(pass == 0 ? i % 512 : i / 512);
        // 16 columns of B, of which column n has its one where the n-th stored element stands: chunks of the depth lie
        // 256 bytes apart.
        __half* const ones = halves + (kBytes - kOnes) / 2;
        for (unsigned i = thread; i < kOnes / 2; i += kGroup) {
            const unsigned column = i % 128 / 8, place = i / 128 * 8 + i % 8;
            ones[i] = __ushort2half_rn(place == column / 2 * 4 + column % 2 ? 1 : 0);
        }
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        Word a[4];
        for (unsigned i = 0; i < 4; ++i) a[i] = one_of(warp * 16 + group + i % 2 * 8, in_group * 2 + i / 2 * 8);
        const Word e = c.of_a != 0 ? 0x44444444u : places_of(group);
        Word* const sums = scratch + (std::size_t{blockIdx.x} * kGroup + thread) * 32;
        if (c.of_a != 0) {
            const std::uint64_t at_a = descriptor(base + c.start, c);
            const Configuration plain{0, 0, 0, 0, 256, 128, 0};
            const std::uint64_t at_b = descriptor(base + kBytes - kOnes, plain);
            if (c.turned != 0)
                WGMMA(16, 8, "%2", ", 1, 0");
            else
                WGMMA(16, 8, "%2", ", 0, 0");
            for (unsigned i = 0; i < 8; ++i) {
                const unsigned row = warp * 16 + group + i / 2 % 2 * 8, column = i / 4 * 8 + in_group * 2 + i % 2;
                map[row * kDepth + column] += static_cast<Word>(__uint_as_float(sums[i])) * (pass == 0 ? 1u : 512u);
            }
        } else {
            const std::uint64_t at_a = 0, at_b = descriptor(base + c.start, c);
            if (c.turned != 0)
                WGMMA(64, 32, "{%3,%4,%5,%6}", ", 1");
            else
                WGMMA(64, 32, "{%3,%4,%5,%6}", ", 0");
            if (warp >= 2) continue;
            for (unsigned i = 0; i < 32; ++i) {
                const unsigned row = warp * 16 + group + i / 2 % 2 * 8, column = i / 4 * 8 + in_group * 2 + i % 2;
                map[column * kDepth + row] += static_cast<Word>(__uint_as_float(sums[i])) * (pass == 0 ? 1u : 512u);
            }
        }
    }
}

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// Some as programs have them, others of any strides and starts.
Configuration drawn(unsigned n) {
    const auto draw = [&](unsigned salt, unsigned below) {
        return static_cast<unsigned>(mixed(mixed(n) ^ salt) % below);
    };
    Configuration c{n % 2, n / 2 % 2, n / 4 % 4, 0, 0, 0, 0};
    const bool is_usual = n / 16 % 2 == 0;
    if (is_usual) {
        c.start = draw(1, 16) * 1024 + (c.turned == 0 ? draw(4, 4) * 32 : 0);
        c.leading = (1 + draw(2, 8)) * 1024;
        c.stride = (1 + draw(3, 8)) * 1024;
        return c;
    }
    c.start = draw(1, 4096) * 16;
    c.leading = draw(2, 512) * 16;
    c.stride = draw(3, 512) * 16;
    c.base = draw(5, 3) == 0 ? draw(6, 8) : 0;
    return c;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: wgmma_sparse_operands CONFIGURATIONS [--dump FILE]\n");
        return 2;
    }
    const unsigned count = static_cast<unsigned>(std::atoi(argv[1]));
    const char* dump = nullptr;
    for (int i = 2; i < argc; ++i) {
        if (std::strcmp(argv[i], "--dump") == 0 && i + 1 < argc) dump = argv[++i];
    }
    std::vector<Configuration> all;
    for (unsigned n = 0; n < count; ++n) all.push_back(drawn(n));
    Configuration* on_device = nullptr;
    Word *out = nullptr, *scratch = nullptr;
    const std::size_t words = std::size_t{count} * kLines * kDepth;
    check(cudaMalloc(&on_device, count * sizeof(Configuration)));
    check(cudaMalloc(&out, words * 4));
    check(cudaMalloc(&scratch, std::size_t{count} * kGroup * 32 * 4));
    check(cudaMemset(out, 0, words * 4));
    check(cudaMemset(scratch, 0, std::size_t{count} * kGroup * 32 * 4));
    check(cudaMemcpy(on_device, all.data(), count * sizeof(Configuration), cudaMemcpyHostToDevice));
    check(cudaFuncSetAttribute(look, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
    look<<<count, kGroup, kBytes>>>(on_device, out, scratch);
    check(cudaGetLastError());
    std::vector<Word> host(words);
    check(cudaMemcpy(host.data(), out, words * 4, cudaMemcpyDeviceToHost));
    for (unsigned n = 0; n < count; ++n) {
        std::uint64_t digest = 0;
        for (unsigned i = 0; i < kLines * kDepth; ++i) digest = mixed(digest ^ host[n * kLines * kDepth + i]);
        const Configuration& c = all[n];
        std::printf("%s turned %u swizzle %u start %u leading %u stride %u base %u %016llx\n", c.of_a != 0 ? "A" : "B",
                    c.turned, c.swizzle, c.start, c.leading, c.stride, c.base, static_cast<unsigned long long>(digest));
    }
    if (dump != nullptr) {
        std::FILE* file = std::fopen(dump, "wb");
        std::fwrite(host.data(), 4, words, file);
        std::fclose(file);
    }
    return 0;
}
