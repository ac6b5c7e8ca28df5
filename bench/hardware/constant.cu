// What the constant caches keep: latency of a chain over sets of several sizes, of first touches one by one, and
// whether an SM finds what its neighbour has fetched.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../../examples/check.h"

__constant__ unsigned cells[16320];  // 64 KiB less what a kernel's parameters need

__device__ __forceinline__ unsigned sm() {
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

// steps of a chain through the set
__global__ void chase(int warm_up, int steps, long long* cycles, unsigned* end) {
    unsigned at = 0;
    for (int i = 0; i < warm_up; ++i) at = cells[at];
    const long long start = clock64();
#pragma unroll 8
    for (int i = 0; i < steps; ++i) at = cells[at];
    *cycles = clock64() - start;
    *end = at;
}

// each first touch, one after the other, timed alone, on one SM
__global__ void touch(int steps, unsigned* cycles, unsigned* end) {
    unsigned at = 0;
    for (int i = 0; i < steps; ++i) {
        const unsigned start = clock();
        at = cells[at];
        asm volatile("" ::"r"(at));
        cycles[i] = (at & 0u) + clock() - start;
        __threadfence_block();
    }
    *end = at;
}

// Block 0 walks the set; then, one after the other, each other block walks it and says what it took: who shares a
// cache.
__global__ void neighbours(int steps, volatile unsigned* turn, unsigned* ids, unsigned* first, unsigned* second) {
    while (*turn != blockIdx.x) {
    }
    unsigned at = 0;
    unsigned start = clock();
    for (int i = 0; i < steps; ++i) at = cells[at];
    first[blockIdx.x] = (clock() - start) + (at & 0u);
    start = clock();
    at = 0;
    for (int i = 0; i < steps; ++i) at = cells[at];
    second[blockIdx.x] = (clock() - start) + (at & 0u);
    ids[blockIdx.x] = sm();
    __threadfence();
    *turn = blockIdx.x + 1;
}

static void lay(unsigned bytes, unsigned stride) {
    std::vector<unsigned> host(16320, 0);
    const unsigned count = bytes / stride, step = stride / 4;
    for (unsigned i = 0; i < count; ++i) host[i * step] = (i + 1) % count * step;
    CHECK(cudaMemcpyToSymbol(cells, host.data(), host.size() * 4));
}

int main() {
    long long* cycles;
    unsigned *end, *each;
    CHECK(cudaMallocManaged(&cycles, 8));
    CHECK(cudaMallocManaged(&end, 4));
    CHECK(cudaMallocManaged(&each, 4096 * 4));
    for (unsigned stride : {16u, 32u, 64u, 128u, 256u})
        for (unsigned bytes : {256u, 512u, 1024u, 1536u, 1792u, 2048u, 2304u, 2560u, 3072u, 4096u, 6144u, 8192u, 16384u,
                               24576u, 32768u, 40960u, 49152u, 57344u, 65280u}) {
            if (bytes < stride * 2) continue;
            lay(bytes, stride);
            const int count = static_cast<int>(bytes / stride);
            chase<<<1, 1>>>(2 * count, 1024, cycles, end);
            CHECK(cudaDeviceSynchronize());
            std::printf("{\"what\": \"chain\", \"bytes\": %u, \"stride\": %u, \"cycles\": %.1f}\n", bytes, stride,
                        *cycles / 1024.0);
        }
    for (unsigned stride : {16u, 64u}) {
        lay(65280, stride);
        touch<<<1, 1>>>(256, each, end);
        CHECK(cudaDeviceSynchronize());
        std::printf("{\"what\": \"touch\", \"stride\": %u, \"cycles\": [", stride);
        for (int i = 0; i < 256; ++i) std::printf("%s%u", i ? "," : "", each[i]);
        std::printf("]}\n");
    }
    for (unsigned bytes : {1024u, 32768u}) {
        lay(bytes, 64);
        const int blocks = 132;
        constexpr int kRoom = 100 << 10;  // of shared memory, so that an SM holds one block
        unsigned *turn, *ids, *first, *second;
        CHECK(cudaMallocManaged(&turn, 4));
        CHECK(cudaMallocManaged(&ids, blocks * 4));
        CHECK(cudaMallocManaged(&first, blocks * 4));
        CHECK(cudaMallocManaged(&second, blocks * 4));
        *turn = 0;
        CHECK(cudaFuncSetAttribute(neighbours, cudaFuncAttributeMaxDynamicSharedMemorySize, kRoom));
        neighbours<<<blocks, 1, kRoom>>>(static_cast<int>(bytes / 64), turn, ids, first, second);
        CHECK(cudaDeviceSynchronize());
        std::printf("{\"what\": \"neighbours\", \"bytes\": %u, \"sm_first_second\": [", bytes);
        for (int i = 0; i < blocks; ++i)
            std::printf("%s[%u,%u,%u]", i ? "," : "", ids[i], first[i] / (bytes / 64), second[i] / (bytes / 64));
        std::printf("]}\n");
    }
    return 0;
}
