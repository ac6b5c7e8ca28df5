// What loads of lines at random take L1, in cycles a request: 16 loads of each of 32 warps on an SM. No counters;
// prints JSON lines: {"past_l1": by .cg, "KiB": they lie in so many, "words": which word of its line a lane takes
// ("first", "own", "random"), "lines": of a request, "blocks": SMs at it, "cycles"}.
#include <algorithm>
#include <vector>

#include "../../examples/check.h"

namespace {

constexpr int kLoads = 16, kWarps = 32, kPatterns = 4, kRounds = 9, kWordsPerLine = 32;

// Lines of which no two are the same, and a word of each for each lane.
void draw(unsigned* places, int lines, unsigned of, int words) {
    unsigned chosen[32];
    for (int i = 0; i < lines;) {
        chosen[i] = std::rand() % of;
        if (std::find(chosen, chosen + i, chosen[i]) == chosen + i) ++i;
    }
    for (int lane = 0; lane < 32; ++lane) {
        const unsigned word = words == 0 ? 0 : words == 1 ? lane : std::rand() % kWordsPerLine;
        places[lane] = chosen[lane % lines] * kWordsPerLine + word;
    }
}

}  // namespace

__global__ void gather(const unsigned* data, const unsigned* places, unsigned* log, bool past_l1) {
    const unsigned warp = blockIdx.x % kPatterns * kWarps + threadIdx.x / 32;
    unsigned at[kLoads], sum = 0, begin = 0;
    for (int i = 0; i < kLoads; ++i) at[i] = places[(warp * kLoads + i) * 32 + threadIdx.x % 32];
    for (int round = 0; round < kRounds; ++round) {
        __syncthreads();
        if (round == 1) begin = clock();  // the first one brings the lines
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
            unsigned value;
            if (past_l1)
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(data + at[i]) : "memory");
            else
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(data + at[i]) : "memory");
            sum += value;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) log[blockIdx.x] = clock() - begin;
    if (sum == 12345) *log = sum;
}

int main() {
    unsigned *data, *places, *log;
    CHECK(cudaMalloc(&data, 1 << 20));
    CHECK(cudaMemset(data, 0, 1 << 20));
    std::vector<unsigned> drawn(std::size_t{kPatterns} * kWarps * kLoads * 32);
    CHECK(cudaMalloc(&places, drawn.size() * sizeof(unsigned)));
    CHECK(cudaMalloc(&log, 4096));
    const char* const names[] = {"first", "own", "random"};
    for (const bool past_l1 : {false, true})
        for (const int kib : {8, 32, 64, 128, 160})
            for (int words = 0; words < 3; ++words)
                for (const int lines : {4, 8, 16, 24, 32}) {
                    for (std::size_t i = 0; i < drawn.size(); i += 32) draw(&drawn[i], lines, kib * 8, words);
                    CHECK(cudaMemcpy(places, drawn.data(), drawn.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
                    for (const int blocks : {1, 132}) {
                        gather<<<blocks, 32 * kWarps>>>(data, places, log, past_l1);
                        std::vector<unsigned> took(blocks);
                        CHECK(cudaMemcpy(took.data(), log, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost));
                        std::sort(took.begin(), took.end());
                        std::printf(
                            "{\"past_l1\": %d, \"KiB\": %d, \"words\": \"%s\", \"lines\": %d, \"blocks\": %d, "
                            "\"cycles\": %.2f}\n",
                            past_l1, kib, names[words], lines, blocks,
                            took[blocks / 2] / double((kRounds - 1) * kLoads * kWarps));
                    }
                }
}
