// When the neighbour of a sector that L2 has been asked for counts as a hit: a word of one sector of an aligned pair is
// loaded, and `delay` cycles later one of the other, by the same warp or by the next one of the block; every pair is
// touched once. Prints one JSON line a launch: {"who", "warps": of a block, "delay", "pairs"}; run under ncu.
#include "../../examples/check.h"

namespace {

__device__ unsigned load(const char* place) {
    unsigned value;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
    return value;
}

__device__ void wait(int delay) {
    const long long from = clock64();
    while (delay > 0 && clock64() - from < delay) {
    }
}

constexpr int kLine = 128, kSector = 32;

}  // namespace

__global__ void same_warp(const char* data, int lines, int delay, unsigned* out) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
    unsigned sum = 0;
    for (int k = 0; k < lines; ++k) {
        const char* line = data + (size_t{k * 1u} * warps + warp) * kLine;
        const unsigned first = load(line);
        wait(delay);
        sum += first + load(line + kSector);
    }
    if (sum == 12345) *out = sum;
}

__global__ void next_warp(const char* data, int lines, int delay, unsigned* out) {
    const int warp = threadIdx.x / 32, of_block = blockDim.x / 64;
    const size_t pair = size_t{blockIdx.x} * of_block + warp / 2, pairs = size_t{gridDim.x} * of_block;
    unsigned sum = 0;
    for (int k = 0; k < lines; ++k) {
        __syncthreads();
        if (warp % 2 != 0) wait(delay);
        sum += load(data + (k * pairs + pair) * kLine + warp % 2 * kSector);
    }
    if (sum == 12345) *out = sum;
}

int main() {
    constexpr int kBlocks = 132;
    char* data;
    unsigned* out;
    CHECK(cudaMalloc(&data, size_t{256} << 20));
    CHECK(cudaMalloc(&out, sizeof *out));
    CHECK(cudaMemset(data, 0, size_t{256} << 20));
    for (const int warps : {1, 8, 32})
        for (const int delay : {0, 20, 50, 100, 200, 300, 500, 700, 1000, 1500}) {
            const int lines = warps == 32 ? 64 : 256;
            const auto say = [&](const char* who, int pairs) {
                std::printf("{\"who\": \"%s\", \"warps\": %d, \"delay\": %d, \"pairs\": %d}\n", who, warps, delay,
                            pairs);
            };
            same_warp<<<kBlocks, 32 * warps>>>(data, lines, delay, out);
            say("same warp", lines * warps * kBlocks);
            if (warps == 1) continue;
            next_warp<<<kBlocks, 32 * warps>>>(data, lines, delay, out);
            say("next warp", lines * warps / 2 * kBlocks);
        }
    CHECK(cudaDeviceSynchronize());
}
