// Which stores are joined on their way from an SM to L2. Prints one JSON line a launch, in order, for counters to be
// held against.
#include "../../examples/check.h"

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

// As runs(), by stores that are not volatile; of bytes and halves, too; and of what each thread has just loaded.
template <class Element, int kStores, int kApart, bool kLoads>
__global__ void rows(Element* out, const Element* in, unsigned seed) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    unsigned value[kStores];
#pragma unroll
    for (int k = 0; k < kStores; ++k) value[k] = kLoads ? in[k * threads + thread] : seed + k;
#pragma unroll
    for (int k = 0; k < kStores; ++k) {
        Element* const at = out + thread * kApart + k;
        if constexpr (sizeof(Element) == 1) asm volatile("st.global.u8 [%0], %1;" ::"l"(at), "r"(value[k]) : "memory");
        if constexpr (sizeof(Element) == 2)
            asm volatile("st.global.u16 [%0], %1;" ::"l"(at), "h"(static_cast<unsigned short>(value[k])) : "memory");
        if constexpr (sizeof(Element) == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value[k]) : "memory");
    }
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

template <class Element, int kStores, int kApart, bool kLoads>
void store_rows(unsigned* out, const unsigned* in) {
    for (const int blocks : kBlocks)
        for (const int threads : kThreads) {
            rows<Element, kStores, kApart, kLoads>
                <<<blocks, threads>>>(reinterpret_cast<Element*>(out), reinterpret_cast<const Element*>(in), 3);
            CHECK(cudaDeviceSynchronize());
            std::printf(
                "{\"bytes\": %d, \"stores\": %d, \"apart\": %d, \"loads\": %s, \"blocks\": %d, \"threads\": %d}\n",
                static_cast<int>(sizeof(Element)), kStores, kApart, kLoads ? "true" : "false", blocks, threads);
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
    unsigned* in = nullptr;
    CHECK(cudaMalloc(&in, std::size_t{1} << 27));
    CHECK(cudaMemset(in, 0, std::size_t{1} << 27));
    store_rows<unsigned, 8, 8, false>(out, in);
    store_rows<unsigned, 7, 7, false>(out, in);
    store_rows<unsigned, 7, 7, true>(out, in);
    store_rows<unsigned, 8, 9, false>(out, in);
    store_rows<unsigned, 3, 3, false>(out, in);
    store_rows<unsigned, 3, 3, true>(out, in);
    store_rows<unsigned, 12, 12, false>(out, in);
    store_rows<unsigned, 16, 24, false>(out, in);
    store_rows<unsigned char, 3, 3, false>(out, in);
    store_rows<unsigned char, 8, 8, false>(out, in);
    store_rows<unsigned short, 4, 4, false>(out, in);
    return 0;
}
