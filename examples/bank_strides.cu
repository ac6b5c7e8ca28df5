// Shared memory read with different strides: which ones conflict, and why.
//
// Shared memory has 32 banks, each 4 bytes wide; word w lies in bank w mod 32. In one pass every bank gives out one
// word. Lane i of a warp reads word i * stride here, so its bank is (i * stride) mod 32. How many lanes meet in one
// bank is the greatest common divisor of the stride and 32:
//
//     stride     1   2   4   8   16   17   32   33
//     passes     1   2   4   8   16    1   32    1
//
// An odd stride never conflicts, 17 as little as 1: it shares no factor with 32.
#include "check.h"

constexpr int kThreads = 256;
constexpr int kWords = 8192;  // 32 KB. A multiple of 32, so that wrapping around at the end keeps every lane's bank
constexpr int kRounds = 64;

__global__ void strided(int* out, int stride) {
    __shared__ int words[kWords];
    for (int i = threadIdx.x; i < kWords; i += blockDim.x) words[i] = i;
    __syncthreads();
    int sum = 0;
    // Each round begins at another word, the same one for all lanes: that moves every lane by as many banks, so the
    // pattern of meetings stays.
    for (int round = 0; round < kRounds; ++round) sum += words[(threadIdx.x * stride + round) % kWords];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    const int blocks = 16, threads = blocks * kThreads;
    int* d_out = device_buffer<int>(threads);
    Verdict verdict;
    for (int stride : {1, 2, 4, 8, 16, 17, 32, 33}) {
        strided<<<blocks, kThreads>>>(d_out, stride);
        finish_launch();

        std::vector<int> want(threads);
        for (int t = 0; t < threads; ++t)
            for (int round = 0; round < kRounds; ++round) want[t] += (t % kThreads * stride + round) % kWords;
        char what[32];
        std::snprintf(what, sizeof what, "stride %d", stride);
        verdict.equal(what, to_host(d_out, threads), want);
    }
    CHECK(cudaFree(d_out));
    return verdict.status();
}
