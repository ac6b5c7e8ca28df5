// What stores cost that go to few lines: flags that all warps set, counters of a block in one line. Every warp stores
// `turns` times to one of `lines` lines, chosen by its number. Prints one JSON line a launch: {"what", "lines",
// "apart": bytes between two of these lines, "us", "requests"}; the least of three runs, by events.
#include <algorithm>
#include <cstdint>

#include "../../examples/check.h"

enum What { kWord, kOwnSector, kLine, kPlain, kSpreadWord, kVolatile, kAfterLoad, kWhat };
constexpr const char* kNames[] = {"one lane, one word",
                                  "one lane, a sector of four",
                                  "32 lanes, the line",
                                  "32 lanes, one word",
                                  "one lane, a word of 32",
                                  "one lane, one word, volatile",
                                  "one lane, one word, behind a load"};

__global__ void store(char* cells, const int* other, unsigned lines, unsigned apart, int turns, What what) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    char* const line = cells + std::size_t{warp % lines} * apart;
    for (int turn = 0; turn < turns; ++turn) {
        volatile int* word = reinterpret_cast<int*>(line);
        if (what == kLine) {
            reinterpret_cast<int*>(line)[lane] = turn;
            asm volatile("" ::: "memory");
        } else if (what == kPlain) {
            *word = turn;
        } else if (lane == 0) {
            if (what == kOwnSector) word += (warp / lines + turn) % 4 * 8;
            if (what == kSpreadWord) word += (warp / lines + turn) % 32;
            if (what == kAfterLoad) {
                int value = other[(warp * 97u + turn * 32768u) % (1u << 22)];
                if (value != 12345) *word = 1;
            } else {
                *word = turn;
            }
        }
    }
}

int main() {
    constexpr int kBlocks = 132 * 8, kThreads = 256, kTurns = 32;
    char* cells = nullptr;
    int* other = nullptr;
    CHECK(cudaMalloc(&cells, std::size_t{1} << 28));
    CHECK(cudaMalloc(&other, std::size_t{1} << 24));
    CHECK(cudaMemset(cells, 0, std::size_t{1} << 28));
    CHECK(cudaMemset(other, 0, std::size_t{1} << 24));
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int what = 0; what < kWhat; ++what)
        for (const unsigned apart : {128u, 4096u, 65536u})
            for (const unsigned lines : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 1024u}) {
                if (lines == 1 && apart != 128) continue;
                float least = 1e9f;
                for (int run = 0; run < 3; ++run) {
                    float ms = 0;
                    CHECK(cudaEventRecord(from));
                    store<<<kBlocks, kThreads>>>(cells, other, lines, apart, kTurns, static_cast<What>(what));
                    CHECK(cudaEventRecord(to));
                    CHECK(cudaEventSynchronize(to));
                    CHECK(cudaEventElapsedTime(&ms, from, to));
                    least = std::min(least, ms);
                }
                std::printf("{\"what\": \"%s\", \"lines\": %u, \"apart\": %u, \"us\": %.2f, \"requests\": %d}\n",
                            kNames[what], lines, apart, least * 1e3, kBlocks * kThreads / 32 * kTurns);
            }
    return 0;
}
