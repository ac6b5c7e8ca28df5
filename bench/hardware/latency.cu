// How long one access takes at each level: one lane follows a chain of pointers in which every load needs the result of
// the one before. Prints one JSON line a figure: {"what", "cycles", ...}.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "../../examples/check.h"

constexpr std::uint64_t kLine = 128;  // bytes
constexpr std::uint64_t kPage = std::uint64_t{2} << 20;

// The cache operators decide which level may answer.
struct FromL1 {
    static __device__ std::uint64_t load(std::uint64_t at) {
        std::uint64_t next;
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
        return next;
    }
};
struct FromL2 {
    static __device__ std::uint64_t load(std::uint64_t at) {
        std::uint64_t next;
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
        return next;
    }
};

template <class Level>
__global__ void chase(std::uint64_t at, int warm_up, int steps, long long* cycles, std::uint64_t* end) {
    for (int i = 0; i < warm_up; ++i) at = Level::load(at);
    const long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) at = Level::load(at);
    *cycles = clock64() - start;
    *end = at;
}

__global__ void link(const std::uint64_t* from, const std::uint64_t* to, std::size_t count) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        *reinterpret_cast<std::uint64_t*>(from[i]) = to[i];
}

__global__ void chase_shared(int steps, long long* cycles, unsigned* end) {
    __shared__ unsigned cells[1024];
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(cells));
    for (unsigned i = 0; i < 1024; ++i) cells[i] = base + (i + 167) % 1024 * 4;
    unsigned at = base;
    const long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at) : : "memory");
    *cycles = clock64() - start;
    *end = at;
}

__constant__ unsigned constant_cells[16384];

__global__ void chase_constant(int warm_up, int steps, long long* cycles, unsigned* end) {
    unsigned at = 0;
    for (int i = 0; i < warm_up; ++i) at = constant_cells[at];
    const long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) at = constant_cells[at];
    *cycles = clock64() - start;
    *end = at;
}

__global__ void multiply_adds(int steps, float factor, float sum, long long* cycles, float* end) {
    const long long start = clock64();
#pragma unroll 64
    for (int i = 0; i < steps; ++i) sum = fmaf(sum, factor, 0.5F);
    *cycles = clock64() - start;
    *end = sum;
}

class Chains {
public:
    Chains() {
        CHECK(cudaMalloc(&cycles_, sizeof(long long)));
        CHECK(cudaMalloc(&end_, 64));
        CHECK(cudaMalloc(&other_, kOther));
    }

    // Links `count` lines, line i at `place(i)`, into one circle in random order.
    template <class Place>
    std::uint64_t circle(std::size_t count, Place place) {
        std::vector<std::uint64_t> from(count), to(count);
        for (std::size_t i = 0; i < count; ++i) from[i] = place(i);
        std::shuffle(from.begin(), from.end(), random_);
        for (std::size_t i = 0; i < count; ++i) to[i] = from[(i + 1) % count];
        std::uint64_t *device_from = nullptr, *device_to = nullptr;
        const std::size_t bytes = count * sizeof(std::uint64_t);
        CHECK(cudaMalloc(&device_from, bytes));
        CHECK(cudaMalloc(&device_to, bytes));
        CHECK(cudaMemcpy(device_from, from.data(), bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(device_to, to.data(), bytes, cudaMemcpyHostToDevice));
        link<<<1024, 256>>>(device_from, device_to, count);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(device_from));
        CHECK(cudaFree(device_to));
        CHECK(cudaMemset(other_, 1, kOther));  // nothing of the chain stays in the L2
        return from[0];
    }

    template <class Level>
    void measure(const char* what, std::uint64_t bytes, std::uint64_t at, std::size_t warm_up, int steps) {
        chase<Level><<<1, 1>>>(at, static_cast<int>(warm_up), steps, cycles_, static_cast<std::uint64_t*>(end_));
        print(what, bytes, steps);
    }
    void print(const char* what, std::uint64_t bytes, int steps) {
        CHECK(cudaGetLastError());
        long long cycles = 0;
        CHECK(cudaMemcpy(&cycles, cycles_, sizeof cycles, cudaMemcpyDeviceToHost));
        std::printf("{\"what\": \"%s\", \"bytes\": %llu, \"cycles\": %.1f}\n", what,
                    static_cast<unsigned long long>(bytes), static_cast<double>(cycles) / steps);
        std::fflush(stdout);
    }
    long long* cycles() { return cycles_; }
    template <class T>
    T* end() {
        return static_cast<T*>(end_);
    }
    std::mt19937_64& random() { return random_; }

private:
    static constexpr std::size_t kOther = std::size_t{512} << 20;
    long long* cycles_ = nullptr;
    void* end_ = nullptr;
    void* other_ = nullptr;
    std::mt19937_64 random_{1};
};

// Every line of a buffer once around before it is timed.
void sweep(Chains& chains) {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
    char* buffer = nullptr;
    CHECK(cudaMalloc(&buffer, kLargest));
    const auto base = reinterpret_cast<std::uint64_t>(buffer);
    for (const std::uint64_t kib : {16, 64, 128})
        chains.measure<FromL1>("L1", kib << 10,
                               chains.circle((kib << 10) / kLine, [&](std::size_t i) { return base + i * kLine; }),
                               (kib << 10) / kLine, 1 << 16);
    for (const std::uint64_t mib : {1, 4, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 96, 128, 256, 1024}) {
        const std::size_t lines = (mib << 20) / kLine;
        // A chain that is far longer than the L2 needs no round before: nothing of it can be there.
        const std::size_t warm_up = mib <= 128 ? lines : 4096;
        chains.measure<FromL2>("L2 and device memory", mib << 20,
                               chains.circle(lines, [&](std::size_t i) { return base + i * kLine; }), warm_up, 1 << 17);
    }
    CHECK(cudaFree(buffer));
}

// Each step in another page of 2 MB, chosen at random: as many lines as cannot be in the L2, in ever more pages.
void pages(Chains& chains) {
    constexpr std::size_t kLines = std::size_t{1} << 20;
    constexpr std::uint64_t kBuffer = std::uint64_t{64} << 30;
    char* buffer = nullptr;
    CHECK(cudaMalloc(&buffer, kBuffer));
    const auto base = reinterpret_cast<std::uint64_t>(buffer);
    for (const std::uint64_t gib : {1, 4, 8, 16, 32, 64}) {
        const std::uint64_t count = (gib << 30) / kPage;
        const std::uint64_t each = kLines / count;
        std::vector<std::uint64_t> lines(kPage / kLine);
        std::iota(lines.begin(), lines.end(), 0);
        std::shuffle(lines.begin(), lines.end(), chains.random());
        const auto place = [&](std::size_t i) {
            return base + i / each * kPage + lines[(i % each * 8 + i / each) % lines.size()] * kLine;
        };
        chains.measure<FromL2>("device memory, random pages", gib << 30, chains.circle(kLines, place), 4096, 1 << 17);
    }
    CHECK(cudaFree(buffer));
}

void constants(Chains& chains) {
    std::vector<unsigned> cells(16384);
    for (const unsigned bytes : {512U, 1024U, 1536U, 2048U, 4096U, 16384U, 32768U, 65536U}) {
        const unsigned count = bytes / 64;  // a cell a line of 64 bytes
        for (unsigned i = 0; i < count; ++i) cells[i * 16] = (i + 1) % count * 16;
        CHECK(cudaMemcpyToSymbol(constant_cells, cells.data(), cells.size() * sizeof(unsigned)));
        chase_constant<<<1, 1>>>(2048, 1 << 16, chains.cycles(), chains.end<unsigned>());
        chains.print("constant, indexed", bytes, 1 << 16);
    }
}

int main() {
    Chains chains;
    for (int round = 0; round < 2; ++round) {
        multiply_adds<<<1, 32>>>(1 << 16, 0.9F, 1.0F, chains.cycles(), chains.end<float>());
        chains.print("fp32 multiply-add", 0, 1 << 16);
        chase_shared<<<1, 1>>>(1 << 16, chains.cycles(), chains.end<unsigned>());
        chains.print("shared", 4096, 1 << 16);
    }
    constants(chains);
    sweep(chains);
    pages(chains);
    return 0;
}
