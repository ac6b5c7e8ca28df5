// Which stores are joined on their way from an SM to L2. Prints one JSON line a launch, in order, for counters to be
// held against.
#include "check.h"

// kStores of each thread to neighbouring words, the threads' kApart words from each other.
template <int kStores, int kApart>
__global__ void runs(volatile unsigned* out, unsigned seed) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < kStores; ++k) out[thread * kApart + k] = seed + k;
}

// Each warp stores kLines whole lines in turn, kTimes times.
template <int kLines, int kTimes>
__global__ void rounds(volatile unsigned* out, unsigned seed) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll
    for (int time = 0; time < kTimes; ++time)
#pragma unroll
        for (int line = 0; line < kLines; ++line)
            out[thread / 32 * 32 * kLines + line * 32 + thread % 32] = seed + time + line;
}

constexpr int kBlocks[] = {1, 132, 132 * 8}, kThreads[] = {32, 128, 256, 1024};

template <int kStores, int kApart>
void run(unsigned* out) {
    for (const int blocks : kBlocks)
        for (const int threads : kThreads) {
            runs<kStores, kApart><<<blocks, threads>>>(out, 3);
            CHECK(cudaDeviceSynchronize());
            std::printf("{\"stores\": %d, \"apart\": %d, \"blocks\": %d, \"threads\": %d}\n", kStores, kApart, blocks,
                        threads);
        }
}

template <int kLines, int kTimes>
void go_round(unsigned* out) {
    for (const int blocks : kBlocks)
        for (const int threads : kThreads) {
            rounds<kLines, kTimes><<<blocks, threads>>>(out, 3);
            CHECK(cudaDeviceSynchronize());
            std::printf("{\"lines\": %d, \"times\": %d, \"blocks\": %d, \"threads\": %d}\n", kLines, kTimes, blocks,
                        threads);
        }
}

int main() {
    unsigned* out = nullptr;
    CHECK(cudaMalloc(&out, std::size_t{1} << 30));
    run<8, 8>(out);
    run<4, 8>(out);
    run<2, 8>(out);
    run<4, 4>(out);
    run<2, 2>(out);
    run<8, 32>(out);
    run<16, 16>(out);
    go_round<1, 2>(out);
    go_round<1, 8>(out);
    go_round<2, 8>(out);
    go_round<8, 4>(out);
    return 0;
}
