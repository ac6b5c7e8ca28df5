// How many bytes a second, and at what energy, all SMs together get from each level. Every kernel runs for about two
// seconds; the board's energy counter, less what it draws while the SMs only wait, gives picojoules a byte: of a level
// and of the way from there, instructions included, so registers come out with their arithmetic.
// Prints one JSON line a level: {"what", "bytes_per_second", "bytes_per_cycle_and_sm", "watts", "picojoules_per_byte"}.
#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "../../examples/check.h"

constexpr double kSeconds = 2;
constexpr int kThreads = 1024;

// The board's energy since the driver was loaded, by NVML.
class EnergyCounter {
public:
    EnergyCounter() {
        void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
        if (library == nullptr) return;
        const auto start = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
        const auto find = reinterpret_cast<int (*)(unsigned, void**)>(dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
        read_ = reinterpret_cast<Read>(dlsym(library, "nvmlDeviceGetTotalEnergyConsumption"));
        clock_ = reinterpret_cast<Clock>(dlsym(library, "nvmlDeviceGetClockInfo"));
        if (start == nullptr || find == nullptr || start() != 0 || find(0, &device_) != 0) read_ = nullptr;
    }
    double joules() const {
        unsigned long long millijoules = 0;
        if (read_ == nullptr || read_(device_, &millijoules) != 0) return 0;
        return static_cast<double>(millijoules) * 1e-3;
    }
    unsigned sm_clock() const {
        unsigned mhz = 0;
        constexpr int kSm = 1;
        if (clock_ != nullptr) clock_(device_, kSm, &mhz);
        return mhz;
    }

private:
    using Read = int (*)(void*, unsigned long long*);
    using Clock = int (*)(void*, int, unsigned*);
    Read read_ = nullptr;
    Clock clock_ = nullptr;
    void* device_ = nullptr;
};

__global__ void fill(std::uint32_t* cells, std::size_t count) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x) {
        std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        cells[i] = static_cast<std::uint32_t>(x >> 32);
    }
}

// One warp an SM, asleep nearly always: clocks are up, nothing else happens.
__global__ void wait(int rounds) {
    for (int i = 0; i < rounds; ++i) __nanosleep(1000);
}

// Pairs of numbers that turn in circles, so that their bits keep changing.
__global__ void __launch_bounds__(kThreads, 2) multiply_adds(int rounds, float step, float* out) {
    step += static_cast<float>(threadIdx.x) * 1e-6F;  // a register of its own: no operand comes from elsewhere
    float x[8], y[8];
    for (int i = 0; i < 8; ++i) x[i] = 1 + threadIdx.x * 0.001F + i, y[i] = 0.5F * i;
#pragma unroll 16
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < 8; ++i) x[i] = fmaf(step, y[i], x[i]);
#pragma unroll
        for (int i = 0; i < 8; ++i) y[i] = fmaf(-step, x[i], y[i]);
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += x[i] + y[i];
    if (sum == 12345.678F) *out = sum;
}

__global__ void __launch_bounds__(kThreads, 2) read_shared(int rounds, const uint4* random, unsigned* out) {
    __shared__ uint4 cells[2 * kThreads];
    cells[threadIdx.x] = random[threadIdx.x];
    cells[threadIdx.x + kThreads] = random[threadIdx.x + kThreads];
    __syncthreads();
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(cells + threadIdx.x));
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round) {
        uint4 a, b;
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a.x), "=r"(a.y), "=r"(a.z), "=r"(a.w)
                     : "r"(at));
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4 + 16384];"
                     : "=r"(b.x), "=r"(b.y), "=r"(b.z), "=r"(b.w)
                     : "r"(at));
        sum += a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w;
    }
    if (sum == 0x12345678) *out = sum;
}

template <bool ThroughL1>
__device__ uint4 load(const uint4* at) {
    uint4 v;
    if (ThroughL1)
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(at));
    else
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(at));
    return v;
}

constexpr int kAhead = 4;
constexpr std::size_t kTile = kAhead * kThreads * sizeof(uint4);  // bytes that a block reads at once

// The blocks take `steps` tiles in turn, starting again after `tiles`; with ThroughL1 each block takes all steps.
template <bool ThroughL1>
__global__ void __launch_bounds__(kThreads, 2)
    read_global(unsigned steps, const uint4* cells, unsigned tiles, unsigned* out) {
    unsigned sum = 0;
    const unsigned stride = ThroughL1 ? 1 : gridDim.x;
    for (unsigned step = ThroughL1 ? 0 : blockIdx.x; step < steps; step += stride) {
        const uint4* at = cells + std::size_t{step % tiles} * (kAhead * kThreads) + threadIdx.x;
        uint4 v[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) v[k] = load<ThroughL1>(at + k * kThreads);
#pragma unroll
        for (int k = 0; k < kAhead; ++k) sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    }
    if (sum == 0x12345678) *out = sum;
}

__global__ void __launch_bounds__(kThreads, 2) copy(const uint4* from, uint4* to, unsigned tiles) {
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const std::size_t at = std::size_t{tile} * (kAhead * kThreads) + threadIdx.x;
        uint4 v[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) v[k] = load<false>(from + at + k * kThreads);
#pragma unroll
        for (int k = 0; k < kAhead; ++k) to[at + k * kThreads] = v[k];
    }
}

class Levels {
public:
    Levels() {
        cudaDeviceProp properties{};
        CHECK(cudaGetDeviceProperties(&properties, 0));
        sms_ = properties.multiProcessorCount;
        CHECK(cudaMalloc(&cells_, kBuffer));
        CHECK(cudaMalloc(&copied_, kBuffer));
        CHECK(cudaMalloc(&out_, 64));
        fill<<<1024, 256>>>(reinterpret_cast<std::uint32_t*>(cells_), kBuffer / 4);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventCreate(&start_));
        CHECK(cudaEventCreate(&stop_));
    }

    // `launch` gets `bytes` from its level.
    void measure(const char* what, double bytes, const std::function<void()>& launch) {
        launch();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(start_));
        launch();
        CHECK(cudaEventRecord(stop_));
        CHECK(cudaEventSynchronize(stop_));
        float once = 0;
        CHECK(cudaEventElapsedTime(&once, start_, stop_));
        const int launches = static_cast<int>(kSeconds * 1e3 / once) + 1;
        const double before = energy_.joules();
        const auto begun = std::chrono::steady_clock::now();
        CHECK(cudaEventRecord(start_));
        for (int i = 0; i < launches; ++i) launch();
        CHECK(cudaEventRecord(stop_));
        const unsigned mhz = energy_.sm_clock();  // while the last launches still run
        CHECK(cudaEventSynchronize(stop_));
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        const double watts = (energy_.joules() - before) / seconds;
        float busy = 0;
        CHECK(cudaEventElapsedTime(&busy, start_, stop_));
        CHECK(cudaGetLastError());
        const double rate = bytes * launches / (busy * 1e-3);
        if (bytes == 0) waiting_ = watts;
        std::printf(
            "{\"what\": \"%s\", \"bytes_per_second\": %.4g, \"bytes_per_cycle_and_sm\": %.1f, \"sm_mhz\": %u, "
            "\"watts\": %.0f, \"picojoules_per_byte\": %.3f}\n",
            what, rate, mhz == 0 ? 0 : rate / (mhz * 1e6) / sms_, mhz, watts,
            bytes == 0 ? 0 : (watts - waiting_) / rate * 1e12);
        std::fflush(stdout);
    }

    void all() {
        constexpr int kRounds = 20000;
        const double threads = 2.0 * sms_ * kThreads;
        measure("waiting", 0, [&] { wait<<<sms_, 32>>>(10000); });
        measure("registers", threads * kRounds * 16 * 16,
                [&] { multiply_adds<<<2 * sms_, kThreads>>>(kRounds, 0.3F, reinterpret_cast<float*>(out_)); });
        measure("shared", threads * kRounds * 32, [&] { read_shared<<<2 * sms_, kThreads>>>(kRounds, cells_, out_); });
        measure("L1", 2.0 * sms_ * kRounds * kTile,
                [&] { read_global<true><<<2 * sms_, kThreads>>>(kRounds, cells_, 2, out_); });
        for (const unsigned mib : {8, 16, 24, 32, 40, 48}) {
            const auto tiles = static_cast<unsigned>((std::size_t{mib} << 20) / kTile);
            measure(("L2, " + std::to_string(mib) + " MiB").c_str(), 500.0 * tiles * kTile,
                    [&] { read_global<false><<<2 * sms_, kThreads>>>(500 * tiles, cells_, tiles, out_); });
        }
        constexpr auto kTiles = static_cast<unsigned>(kBuffer / kTile);
        measure("device memory, read", static_cast<double>(kBuffer),
                [&] { read_global<false><<<2 * sms_, kThreads>>>(kTiles, cells_, kTiles, out_); });
        measure("device memory, copy", 2.0 * static_cast<double>(kBuffer),
                [&] { copy<<<2 * sms_, kThreads>>>(cells_, copied_, kTiles); });
        measure("waiting", 0, [&] { wait<<<sms_, 32>>>(10000); });
    }

private:
    static constexpr std::size_t kBuffer = std::size_t{4} << 30;
    int sms_ = 0;
    uint4 *cells_ = nullptr, *copied_ = nullptr;
    unsigned* out_ = nullptr;
    cudaEvent_t start_{}, stop_{};
    double waiting_ = 0;
    EnergyCounter energy_;
};

int main() {
    Levels().all();
    return 0;
}
