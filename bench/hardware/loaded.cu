// How long a read takes while others ask for more: one thread walks from line to line of 1 GiB, each of which lies
// where the last one's value says, while all other SMs stream at a rate that pauses between their accesses give. The
// 256 lines are the same in each launch: in L2 where what the others do stays there, in device memory where it does
// not. No counters; prints a JSON line a launch: {"stream": what the others do, "pause": cycles, "TBps": what the
// others moved, read and written together, "mean", "quantiles": of a step, in cycles, at 0.1, 0.25, 0.5, 0.75, 0.9 and
// 0.99}.
#include <algorithm>
#include <string>
#include <vector>

#include "../../examples/check.h"
#include "sm.h"

namespace {

enum Stream { kNone, kRead, kCopy, kWrite, kReadL2, kWriteL2, kCopyL2 };
const char* const kNames[] = {"none", "read", "copy", "write", "read within L2", "write within L2", "copy within L2"};

constexpr unsigned kChaser = 0;  // its SM
constexpr int kSteps = 256;
constexpr std::size_t kMiB = std::size_t{1} << 20, kRegion = 2048 * kMiB, kChased = 1024 * kMiB;

struct Result {
    unsigned taken;  // somebody chases
    unsigned long long bytes;
    unsigned steps[kSteps];
};

__device__ unsigned long long mix(unsigned long long x) {
    x = (x ^ x >> 31) * 0x7fb5d329728ea185ull;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44dull;
    return x ^ x >> 33;
}

__device__ float4 load(const float4* place) {
    float4 value;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
                 : "l"(place));
    return value;
}

}  // namespace

template <Stream kStream>
__global__ void __launch_bounds__(256)
    loaded(char* memory, std::size_t region, unsigned pause, unsigned cycles, Result* result) {
    const long long begin = clock64();
    if (sm_number() == kChaser) {
        if (threadIdx.x != 0 || atomicExch(&result->taken, 1) != 0) return;
        const char* from = memory + 2 * kRegion;
        unsigned long long place = 1;
        while (clock64() - begin < cycles / 5) {
        }
        for (int step = 0; step < kSteps; ++step) {
            place = mix(place + 0x9e3779b97f4a7c15ull);
            const char* line = from + (place & (kChased - 1) & ~std::size_t{127});
            const unsigned before = cycle();
            unsigned value;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(line) : "memory");
            place += value;
            if (value != 0)
                *const_cast<volatile unsigned*>(&result->taken) = value;  // the clock is read when it is there
            result->steps[step] = cycle() - before;
        }
        return;
    }
    if (kStream == kNone) return;
    constexpr bool kReads = kStream == kRead || kStream == kCopy || kStream == kReadL2 || kStream == kCopyL2;
    constexpr bool kWrites = kStream == kCopy || kStream == kWrite || kStream == kWriteL2 || kStream == kCopyL2;
    constexpr int kBatch = 2;
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    std::size_t at = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * 16;
    unsigned long long bytes = 0;
    float sum = 0;
    while (clock64() - begin < cycles) {
        float4 values[kBatch] = {};
        for (int i = 0; i < kBatch; ++i) {
            const std::size_t place = (at + i * threads * 16) & (region - 1);
            if (kReads) values[i] = load(reinterpret_cast<const float4*>(memory + place));
        }
        for (int i = 0; i < kBatch; ++i) {
            const std::size_t place = (at + i * threads * 16) & (region - 1);
            if (kWrites)
                *reinterpret_cast<float4*>(memory + (region == kRegion ? kRegion : region) + place) = values[i];
            sum += values[i].x;
        }
        at += kBatch * threads * 16;
        bytes += kBatch * 16 * (kReads + kWrites);
        const long long from = clock64();
        while (clock64() - from < pause) {
        }
    }
    if (sum == 1) bytes += 1;
    for (int lane = 16; lane > 0; lane /= 2) bytes += __shfl_down_sync(~0u, bytes, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(&result->bytes, bytes);
}

template <Stream kStream>
void measure(char* memory, Result* result, unsigned pause) {
    constexpr unsigned kCycles = 1000000;
    const std::size_t region = kStream == kReadL2 || kStream == kWriteL2 || kStream == kCopyL2 ? 8 * kMiB : kRegion;
    Result got{};
    CHECK(cudaMemset(result, 0, sizeof *result));
    loaded<kStream><<<132 * 8, 256>>>(memory, region, pause, kCycles, result);
    CHECK(cudaMemcpy(&got, result, sizeof got, cudaMemcpyDefault));
    std::vector<unsigned> steps(got.steps + 16, got.steps + kSteps);
    std::sort(steps.begin(), steps.end());
    double sum = 0;
    for (const unsigned step : steps) sum += step;
    std::printf("{\"stream\": \"%s\", \"pause\": %u, \"TBps\": %.3f, \"mean\": %.0f, \"quantiles\": [", kNames[kStream],
                pause, got.bytes / (kCycles / 1.98e9) / 1e12, sum / steps.size());
    const double quantiles[] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.99};
    for (const double q : quantiles)
        std::printf("%s%u", q > 0.1 ? ", " : "", steps[static_cast<std::size_t>(q * steps.size())]);
    std::printf("]}\n");
}

template <Stream kStream>
void measure_all(char* memory, Result* result) {
    for (const unsigned pause : {0u, 250u, 500u, 1000u, 1500u, 2000u, 3000u, 4000u, 6000u, 10000u, 20000u, 50000u})
        measure<kStream>(memory, result, pause);
}

int main() {
    char* memory = nullptr;
    Result* result = nullptr;
    CHECK(cudaMalloc(&memory, 3 * kRegion));
    CHECK(cudaMalloc(&result, sizeof *result));
    CHECK(cudaMemset(memory, 0, 3 * kRegion));
    measure<kRead>(memory, result, 0);  // the first launch finds the card at rest
    measure<kNone>(memory, result, 0);
    measure_all<kRead>(memory, result);
    measure_all<kCopy>(memory, result);
    measure_all<kWrite>(memory, result);
    measure_all<kReadL2>(memory, result);
    measure_all<kWriteL2>(memory, result);
    measure_all<kCopyL2>(memory, result);
    return 0;
}
