// When a load that follows a store of its SM hits L1. Prints one JSON line a launch, in order, for counters to be held
// against: every launch loads each of 256 lines' first sector, stores a part of it, and loads another part of it.
#include <cstdint>

#include "../../examples/check.h"

namespace {

enum class Before { kNothing, kAwaited, kUnderWay };  // the first load: none, its value is stored, nobody waits for it
enum class Who { kItself, kOtherWarp };               // who stores
constexpr const char* kBefore[] = {"nothing", "awaited", "under way"};
constexpr const char* kWho[] = {"itself", "other warp"};

__device__ unsigned load(const char* at) {
    unsigned value;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}
__device__ void store(char* at, unsigned value, int bytes) {
    if (bytes == 1) asm volatile("st.global.u8 [%0], %1;" ::"l"(at), "r"(value) : "memory");
    if (bytes == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
    if (bytes == 16) asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(value) : "memory");
    if (bytes == 32) {
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(value) : "memory");
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at + 16), "r"(value) : "memory");
    }
}
__device__ void wait(unsigned cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

// Two warps; lane l has line l of 32, eight times. The first warp loads, one of them stores, `gap` cycles later the
// first loads `away` bytes on.
__global__ void turn(char* set, Before before, Who who, int bytes, int away, unsigned gap, unsigned* out) {
    const bool is_first = threadIdx.x < 32;
    unsigned sum = 0;
    for (int i = 0; i < 8; ++i) {
        char* const at = set + (i * 32 + threadIdx.x % 32) * 128;
        unsigned value = 3;
        if (is_first && before != Before::kNothing) {
            const unsigned loaded = load(at);
            if (before == Before::kAwaited) value = loaded + (loaded == 12345 ? 1 : 2);
            sum += loaded;
        }
        if (before == Before::kAwaited && value == 77) __nanosleep(1);  // nothing goes on before it has come
        if (who == Who::kOtherWarp) __syncthreads();
        if (is_first == (who == Who::kItself)) store(at, value, bytes);
        if (who == Who::kOtherWarp) __syncthreads();
        if (gap != 0) wait(gap);
        if (is_first) sum += load(at + away);
        if (who == Who::kOtherWarp) __syncthreads();
    }
    if (sum == 0x12345678) *out = sum;
}

// The same in one stretch, so that nothing waits for the load: load, kAfterLoad cycles, store of word 0, kApart cycles,
// perhaps a load of word 0, store of word `second`, 2,000 cycles, load.
template <int kCycles>
__device__ void pause() {
    if constexpr (kCycles != 0) wait(kCycles);
}
template <bool kLoads, int kAfterLoad, int kApart, bool kBetween, int kSecond>
__global__ void pair(char* set, int away, unsigned* out) {
    unsigned kept[16];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        char* const at = set + (i * 32 + threadIdx.x) * 128;
        kept[2 * i] = kLoads ? load(at + 8) : 0;
        pause<kAfterLoad>();
        store(at, threadIdx.x, 4);
        pause<kApart>();
        kept[2 * i + 1] = kBetween ? load(at) : 0;
        if constexpr (kSecond != 0) store(at + kSecond, threadIdx.x, 4);
        wait(2000);
        kept[2 * i + 1] += load(at + away);
    }
    unsigned sum = 0;
    for (const unsigned value : kept) sum += value;
    if (sum == 0x12345678) *out = sum;
}
template <bool kLoads, int kAfterLoad, int kApart, bool kBetween, int kSecond>
void pairs(char* set, unsigned* out) {
    for (const int away : {0, kSecond, 28}) {
        pair<kLoads, kAfterLoad, kApart, kBetween, kSecond><<<1, 32>>>(set, away, out);
        CHECK(cudaDeviceSynchronize());
        std::printf(
            "{\"what\": \"pair\", \"loads\": %s, \"after_load\": %d, \"apart\": %d, \"between\": %s, \"second\": %d, "
            "\"away\": %d}\n",
            kLoads ? "true" : "false", kAfterLoad, kApart, kBetween ? "true" : "false", kSecond, away);
    }
}
template <int kApart>
void pairs_apart(char* set, unsigned* out) {
    pairs<false, 0, kApart, false, 4>(set, out);
    pairs<false, 0, kApart, false, 16>(set, out);
    pairs<true, 2000, kApart, false, 4>(set, out);
    pairs<true, 2000, kApart, false, 16>(set, out);
    pairs<true, 2000, kApart, true, 4>(set, out);
    pairs<false, 0, kApart, true, 4>(set, out);
    pairs<true, kApart, 0, false, 0>(set, out);
}

// One thread adds to a row, element by element, as programs do; its loads and stores take turns.
template <class Element>
__global__ void row(Element* row, int count) {
#pragma unroll 1
    for (int i = 0; i < count; ++i) row[i] = row[i] + Element(1);
}
__global__ void quads(float4* row, int count) {
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
        float4 v = row[i];
        v.x += 1;
        v.w += 2;
        row[i] = v;
    }
}
// Each thread of many stores to its own place, and loads its neighbour's.
__global__ void neighbours(unsigned* data, int rounds, unsigned* out) {
    unsigned sum = 0;
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < rounds; ++i) {
        sum += data[at];
        data[at] = sum + i;
        __syncthreads();
        sum += reinterpret_cast<volatile unsigned*>(data)[at ^ 1];
        __syncthreads();
    }
    if (sum == 0x12345678) *out = sum;
}

}  // namespace

int main() {
    char* set = nullptr;
    unsigned* out = nullptr;
    CHECK(cudaMalloc(&set, 1 << 26));
    CHECK(cudaMemset(set, 0, 1 << 26));
    CHECK(cudaMalloc(&out, 4));
    pairs_apart<0>(set, out);
    pairs_apart<20>(set, out);
    pairs_apart<50>(set, out);
    pairs_apart<100>(set, out);
    pairs_apart<200>(set, out);
    pairs_apart<400>(set, out);
    pairs_apart<800>(set, out);
    pairs_apart<2000>(set, out);
    for (const Who who : {Who::kItself, Who::kOtherWarp})
        for (const Before before : {Before::kNothing, Before::kAwaited, Before::kUnderWay})
            for (const int bytes : {1, 4, 16, 32})
                for (const int away : {0, 4, 16, 28})
                    for (const unsigned gap : {0u, 2000u}) {
                        turn<<<1, 64>>>(set, before, who, bytes, away, gap, out);
                        CHECK(cudaDeviceSynchronize());
                        std::printf(
                            "{\"what\": \"turn\", \"who\": \"%s\", \"before\": \"%s\", \"bytes\": %d, \"away\": %d, "
                            "\"gap\": %u}\n",
                            kWho[static_cast<int>(who)], kBefore[static_cast<int>(before)], bytes, away, gap);
                    }
    row<unsigned char><<<1, 1>>>(reinterpret_cast<unsigned char*>(set), 256);
    std::printf("{\"what\": \"row\", \"bytes\": 1, \"threads\": 1}\n");
    row<int><<<1, 1>>>(reinterpret_cast<int*>(set), 256);
    std::printf("{\"what\": \"row\", \"bytes\": 4, \"threads\": 1}\n");
    row<double><<<1, 1>>>(reinterpret_cast<double*>(set), 256);
    std::printf("{\"what\": \"row\", \"bytes\": 8, \"threads\": 1}\n");
    quads<<<1, 1>>>(reinterpret_cast<float4*>(set), 256);
    std::printf("{\"what\": \"row\", \"bytes\": 16, \"threads\": 1}\n");
    for (const int blocks : {1, 132})
        for (const int rounds : {1, 4}) {
            neighbours<<<blocks, 256>>>(reinterpret_cast<unsigned*>(set), rounds, out);
            std::printf("{\"what\": \"neighbours\", \"blocks\": %d, \"rounds\": %d}\n", blocks, rounds);
        }
    CHECK(cudaDeviceSynchronize());
    return 0;
}
