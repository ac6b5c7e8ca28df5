// Which reads of an SM reach L2 as one: loads of different sectors of a line, so and so close behind each other. Every
// sector is read once, so what finds its neighbour under way tells whether that is a hit. Prints one JSON line a
// launch; run under ncu.
#include "../../examples/check.h"

namespace {

constexpr int kSector = 32, kLine = 128, kSms = 132, kRounds = 16;

__device__ unsigned load(const char* place) {
    unsigned value;
    asm volatile("ld.global.u8 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
    return value;
}

}  // namespace

// `zero` is that; the compiler does not know, so what depends on it comes in its turn.

// A warp loads a byte of so many lines, then of their next sectors; kAfterHit: something that L1 has asked for between.
template <bool kAfterHit>
__global__ void side_by_side(const char* data, unsigned zero, int lines, unsigned* out) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    unsigned sum = zero;
#pragma unroll 1
    for (int k = 0; k < kRounds; ++k) {
        const char* const mine =
            data + (size_t{1u * warp} * kRounds + k) * 64 * kLine + sum + lane * lines / 32 * kLine + lane % 4;
        const unsigned first = load(mine), again = kAfterHit ? load(mine + 1) : 0, second = load(mine + kSector);
        sum = (sum + first + again + second) * zero;
    }
    if (sum == 12345) *out = sum;
}

// kBetween + 1 sectors, each of a line of its own, then their neighbours.
template <int kBetween>
__global__ void later(const char* data, unsigned zero, unsigned* out) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    unsigned sum = zero;
#pragma unroll 1
    for (int k = 0; k < kRounds; ++k) {
        const char* const lines = data + (size_t{1u * warp} * kRounds + k) * 64 * kLine + sum + lane;
        unsigned values[2 * (kBetween + 1)];
#pragma unroll
        for (int i = 0; i < 2 * (kBetween + 1); ++i)
            values[i] = load(lines + i % (kBetween + 1) * kLine + i / (kBetween + 1) * kSector);
#pragma unroll
        for (int i = 0; i < 2 * (kBetween + 1); ++i) sum += values[i];
        sum *= zero;
    }
    if (sum == 12345) *out = sum;
}

// Each thread loads the first of `width` bytes of its own.
__global__ void by_thread(const char* data, unsigned zero, int width, unsigned* out) {
    const unsigned value = load(data + size_t{blockIdx.x * blockDim.x + threadIdx.x} * width);
    if (value * zero == 12345) *out = value;
}

// Likewise of one byte, in a loop over all of them.
__global__ void in_turns(const char* data, unsigned zero, int bytes, unsigned* out) {
    unsigned sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += gridDim.x * blockDim.x) sum += load(data + i);
    if (sum * zero == 12345) *out = sum;
}

int main() {
    char* data;
    unsigned* out;
    CHECK(cudaMalloc(&data, size_t{1} << 30));
    CHECK(cudaMalloc(&out, sizeof *out));
    CHECK(cudaMemset(data, 0, size_t{1} << 30));
    const auto say = [](const char* what, int of, int threads, int blocks) {
        CHECK(cudaDeviceSynchronize());
        std::printf("{\"what\": \"%s\", \"of\": %d, \"threads\": %d, \"blocks\": %d}\n", what, of, threads, blocks);
    };
    for (const int threads : {32, 128}) {
        for (const int lines : {1, 4, 8, 16, 32}) {
            side_by_side<false><<<kSms, threads>>>(data, 0, lines, out);
            say("lines", lines, threads, kSms);
            side_by_side<true><<<kSms, threads>>>(data, 0, lines, out);
            say("lines, a hit between", lines, threads, kSms);
        }
        later<0><<<kSms, threads>>>(data, 0, out);
        say("later", 0, threads, kSms);
        later<1><<<kSms, threads>>>(data, 0, out);
        say("later", 1, threads, kSms);
        later<3><<<kSms, threads>>>(data, 0, out);
        say("later", 3, threads, kSms);
    }
    constexpr int kThreads = 8 << 20, kBytes = 4 << 20;
    for (const int threads : {32, 64, 128, 256, 512, 1024})
        for (const int width : {1, 2, 3, 4, 6}) {
            by_thread<<<kThreads / threads, threads>>>(data, 0, width, out);
            say("bytes a thread", width, threads, kThreads / threads);
        }
    for (const int threads : {64, 128, 256, 512})
        for (const int blocks : {kSms, 2 * kSms, 4 * kSms, 8 * kSms}) {
            in_turns<<<blocks, threads>>>(data, 0, kBytes, out);
            say("in turns", 1, threads, blocks);
        }
}
