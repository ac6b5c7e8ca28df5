// What a warp's chain of dependent instructions takes beside a loop's branch, beside a branch that is not taken, beside
// an access under a predicate that no lane fulfils, and beside wavefronts of shared memory; which of a warp's stores go
// together, plain and volatile. Prints one JSON line a launch: the cycles of an SM's clock for each turn of a loop
// ("cycles"), or the shape of the stores, whose sectors in L2 are for a profiler to count.
#include <algorithm>

#include "../../examples/check.h"
#include "sm.h"

constexpr int kTurns = 1024, kWords = 1024;

struct Spans {
    unsigned* begin;
    unsigned* end;
};

__device__ void note(Spans spans, unsigned begin) {
    const unsigned end = cycle();
    if (threadIdx.x % 32 != 0) return;
    spans.begin[threadIdx.x / 32] = begin;
    spans.end[threadIdx.x / 32] = end;
}

template <int kSteps>
__device__ unsigned chain(unsigned value, unsigned factor) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) value = value * factor + 1;
    return value;
}

// The turns are counted.
template <int kSteps>
__global__ void counted(Spans spans, unsigned* out, unsigned factor, unsigned turns, unsigned) {
    unsigned value = 0;
    const unsigned begin = cycle();
#pragma unroll 1
    for (unsigned turn = 0; turn < turns; ++turn) value = chain<kSteps>(value, factor);
    note(spans, begin);
    out[threadIdx.x] = value;
}

// The branch back goes by what the chain has made.
template <int kSteps>
__global__ void by_value(Spans spans, unsigned* out, unsigned factor, unsigned turns, unsigned) {
    unsigned value = 0;
    const unsigned begin = cycle();
#pragma unroll 1
    do value = chain<kSteps>(value, factor);
    while (value < turns * kSteps);
    note(spans, begin);
    out[threadIdx.x] = value;
}

// So does a branch out of the loop, which is never taken, in each turn.
template <int kSteps>
__global__ void with_exit(Spans spans, unsigned* out, unsigned factor, unsigned turns, unsigned never) {
    unsigned value = 0;
    const unsigned begin = cycle();
#pragma unroll 1
    for (unsigned turn = 0; turn < turns; ++turn) {
        value = chain<kSteps>(value, factor);
        if (value == never) break;
    }
    note(spans, begin);
    out[threadIdx.x] = value;
}

// So does a store under a predicate.
template <int kSteps>
__global__ void with_store(Spans spans, unsigned* out, unsigned factor, unsigned turns, unsigned never) {
    unsigned value = 0;
    const unsigned begin = cycle();
#pragma unroll 1
    for (unsigned turn = 0; turn < turns; ++turn) {
        value = chain<kSteps>(value, factor);
        if (value == never) *reinterpret_cast<volatile unsigned*>(out) = turn;
    }
    note(spans, begin);
    out[threadIdx.x] = value;
}

// A load of shared memory that takes kWays wavefronts, and a chain behind it by which the next load goes.
template <int kWays, int kSteps>
__global__ void wavefronts(Spans spans, unsigned* out, unsigned factor, unsigned turns, unsigned) {
    __shared__ unsigned tile[kWords];
    for (unsigned i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = 0;
    __syncthreads();
    const unsigned place = threadIdx.x % 32 * kWays;
    unsigned value = 0;
    const unsigned begin = cycle();
#pragma unroll 1
    for (unsigned turn = 0; turn < turns; ++turn)
        value = chain<kSteps>(tile[(place + value) % kWords], factor) & (factor - 1);
    note(spans, begin);
    out[threadIdx.x] = value;
}

// Four neighbouring words of each thread, all of a warp's four lines by each store; of what it has just loaded, too.
template <bool kVolatile, bool kLoads>
__global__ void stores(unsigned* out, const unsigned* in, unsigned seed) {
    constexpr int kStores = 4;
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    unsigned value[kStores];
#pragma unroll
    for (int k = 0; k < kStores; ++k) value[k] = kLoads ? in[k * threads + thread] : seed + k;
#pragma unroll
    for (int k = 0; k < kStores; ++k) {
        unsigned* const at = out + thread * kStores + k;
        if (kVolatile)
            asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(at), "r"(value[k]) : "memory");
        else
            asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value[k]) : "memory");
    }
}

struct Card {
    Spans spans;
    unsigned* out;
    unsigned* in;
};

template <class Kernel>
void time_of(const char* what, int ways, int steps, Kernel kernel, Card card) {
    for (const int warps : {1, 4, 8, 16, 32}) {
        unsigned begin[32], end[32], least = 0;
        for (int run = 0; run < 3; ++run) {
            kernel<<<1, 32 * warps>>>(card.spans, card.out, 1, kTurns, 0xffffffff);
            CHECK(cudaMemcpy(begin, card.spans.begin, sizeof begin, cudaMemcpyDeviceToHost));
            CHECK(cudaMemcpy(end, card.spans.end, sizeof end, cudaMemcpyDeviceToHost));
            const unsigned took = *std::max_element(end, end + warps) - *std::min_element(begin, begin + warps);
            least = run == 0 ? took : std::min(least, took);
        }
        std::printf("{\"what\": \"%s\", \"ways\": %d, \"steps\": %d, \"warps\": %d, \"cycles\": %.2f}\n", what, ways,
                    steps, warps, static_cast<double>(least) / kTurns);
    }
}

template <int kSteps>
void branches(Card card) {
    time_of("counted", 0, kSteps, counted<kSteps>, card);
    time_of("by value", 0, kSteps, by_value<kSteps>, card);
    time_of("with exit", 0, kSteps, with_exit<kSteps>, card);
    time_of("with store", 0, kSteps, with_store<kSteps>, card);
}

template <int kSteps>
void beside_chain(Card card) {
    time_of("wavefronts", 1, kSteps, wavefronts<1, kSteps>, card);
    time_of("wavefronts", 8, kSteps, wavefronts<8, kSteps>, card);
    time_of("wavefronts", 32, kSteps, wavefronts<32, kSteps>, card);
}

template <bool kVolatile, bool kLoads>
void store_rows(Card card) {
    for (const int blocks : {1, 132, 1056})
        for (const int threads : {32, 128, 256, 1024}) {
            stores<kVolatile, kLoads><<<blocks, threads>>>(card.out, card.in, 3);
            CHECK(cudaDeviceSynchronize());
            std::printf("{\"what\": \"stores\", \"volatile\": %s, \"loads\": %s, \"blocks\": %d, \"threads\": %d}\n",
                        kVolatile ? "true" : "false", kLoads ? "true" : "false", blocks, threads);
        }
}

int main() {
    Card card{};
    constexpr std::size_t kBytes = std::size_t{1056} * 1024 * 4 * sizeof(unsigned);
    CHECK(cudaMalloc(&card.spans.begin, 32 * sizeof(unsigned)));
    CHECK(cudaMalloc(&card.spans.end, 32 * sizeof(unsigned)));
    CHECK(cudaMalloc(&card.out, kBytes));
    CHECK(cudaMalloc(&card.in, kBytes));
    CHECK(cudaMemset(card.in, 0, kBytes));
    branches<1>(card);
    branches<4>(card);
    branches<8>(card);
    branches<16>(card);
    branches<32>(card);
    beside_chain<1>(card);
    beside_chain<16>(card);
    beside_chain<64>(card);
    store_rows<false, false>(card);
    store_rows<true, false>(card);
    store_rows<false, true>(card);
    store_rows<true, true>(card);
}
