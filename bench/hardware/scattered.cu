// What accesses to places of their own cost: groups of neighbouring lanes load, store or update words at random places
// of a buffer that fits into L2 or does not. Prints one JSON line a launch: {"op", "MiB", "group": lanes side by side,
// "us", "lanes"}; the least of three runs, by events.
#include <algorithm>
#include <cstdint>

#include "../../examples/check.h"

enum Op { kLoad, kStore, kUpdate, kReduce, kAtomic, kSwap };

__device__ unsigned mix(unsigned x) {
    x = (x ^ x >> 16) * 0x7feb352d;
    x = (x ^ x >> 15) * 0x846ca68b;
    return x ^ x >> 16;
}

template <Op kOp>
__global__ void scatter(unsigned* cells, unsigned mask, unsigned group, int turns, unsigned* sink) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
#pragma unroll 8
    for (int turn = 0; turn < turns; ++turn) {
        const unsigned place = (mix(thread / group * 977 + turn * 0x9e3779b9u) * group + thread % group) & mask;
        if (kOp == kLoad) sum += __ldcg(cells + place);
        if (kOp == kStore) cells[place] = thread;
        if (kOp == kUpdate) cells[place] += thread;
        if (kOp == kReduce) atomicAdd(cells + place, thread | 1);
        if (kOp == kAtomic) sum += atomicAdd(cells + place, thread | 1);
        if (kOp == kSwap) sum += atomicCAS(cells + place, 0u, thread);
    }
    if (sum == 0x12345) *sink = sum;
}

template <Op kOp>
void measure(const char* name, unsigned* cells) {
    constexpr int kTurns = 8, kBlocks = 132 * 8, kThreads = 256;
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (const unsigned words : {1u << 18, 1u << 22, 1u << 26, 1u << 28})
        for (const unsigned group : {1u, 2u, 4u, 8u, 16u, 32u}) {
            float least = 1e9f;
            for (int run = 0; run < 3; ++run) {
                float ms = 0;
                CHECK(cudaMemset(cells, 0, std::size_t{words} * 4));
                CHECK(cudaEventRecord(from));
                scatter<kOp><<<kBlocks, kThreads>>>(cells, words - 1, group, kTurns, cells + (1u << 28));
                CHECK(cudaEventRecord(to));
                CHECK(cudaEventSynchronize(to));
                CHECK(cudaEventElapsedTime(&ms, from, to));
                least = std::min(least, ms);
            }
            std::printf("{\"op\": \"%s\", \"MiB\": %u, \"group\": %u, \"us\": %.2f, \"lanes\": %d}\n", name,
                        words >> 18, group, least * 1e3, kBlocks * kThreads * kTurns);
        }
}

int main() {
    unsigned* cells = nullptr;
    CHECK(cudaMalloc(&cells, (std::size_t{1} << 30) + 4));
    measure<kLoad>("load", cells);  // the first launches find the card at rest
    measure<kLoad>("load", cells);
    measure<kStore>("store", cells);
    measure<kUpdate>("update", cells);
    measure<kReduce>("reduction", cells);
    measure<kAtomic>("atomic add", cells);
    measure<kSwap>("compare and swap", cells);
    return 0;
}
