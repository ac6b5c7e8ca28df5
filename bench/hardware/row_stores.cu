// Which stores of a thread to its own row are joined before L2, and which only go along with others: rows of a few
// words, with nothing, arithmetic or a load between one store and the next. Prints one JSON line a launch, in order.
#include <cstdint>

#include "../../examples/check.h"

namespace {

enum Between { kNothing, kWork, kLoads };
constexpr const char* kBetween[] = {"nothing", "work", "loads"};

template <bool kVolatile>
__device__ void store(unsigned* at, unsigned value) {
    if (kVolatile)
        asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
    else
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

// Rows of `apart` words, of which each thread stores the first `count`, one after the other. A `work` is a chain of so
// many dependent additions, of 4 cycles each; loads come from L2, and each is waited for.
template <bool kVolatile>
__global__ void rows(unsigned* out, const unsigned* in, int apart, int count, Between between, int work) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    float value = static_cast<float>(threadIdx.x);
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
        if (between == kWork)
            for (int i = 0; i < work; ++i) value = value * 1.5f + 2.0f;
        if (between == kLoads) value += static_cast<float>(in[(thread * 8 + k) & 0xfffff]);
        store<kVolatile>(out + thread * apart + k, __float_as_uint(value));
    }
}
// The same by bytes: threads of a warp next to each other, each so many bytes.
__global__ void bytes(unsigned char* out, int count, int work) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    float value = static_cast<float>(threadIdx.x);
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < work; ++i) value = value * 1.5f + 2.0f;
        asm volatile("st.global.u8 [%0], %1;" ::"l"(out + thread * count + k), "r"(__float_as_uint(value)) : "memory");
    }
}

}  // namespace

int main() {
    unsigned *out = nullptr, *in = nullptr;
    CHECK(cudaMalloc(&out, std::size_t{1} << 28));
    CHECK(cudaMalloc(&in, std::size_t{1} << 23));
    CHECK(cudaMemset(in, 0, std::size_t{1} << 23));
    for (const bool is_volatile : {false, true})
        for (const int threads : {32, 256, 1024})
            for (const int blocks : {132, 132 * 8})
                for (const int apart : {7, 8, 16, 32})
                    for (const int mode : {0, 1, 2, 3}) {
                        const Between between = mode == 0 ? kNothing : mode == 3 ? kLoads : kWork;
                        const int work = mode == 1 ? 10 : mode == 2 ? 100 : 0, count = apart == 7 ? 7 : 8;
                        if (is_volatile && (apart == 16 || mode == 2)) continue;
                        (is_volatile ? rows<true> : rows<false>)<<<blocks, threads>>>(out, in, apart, count, between,
                                                                                      work);
                        CHECK(cudaDeviceSynchronize());
                        std::printf(
                            "{\"what\": \"rows\", \"volatile\": %s, \"threads\": %d, \"blocks\": %d, \"apart\": %d, "
                            "\"count\": %d, "
                            "\"between\": \"%s\", \"work\": %d}\n",
                            is_volatile ? "true" : "false", threads, blocks, apart, count, kBetween[between], work);
                    }
    for (const int threads : {32, 256, 1024})
        for (const int blocks : {132, 132 * 8})
            for (const int count : {3, 8, 16, 32})
                for (const int work : {0, 10, 100}) {
                    bytes<<<blocks, threads>>>(reinterpret_cast<unsigned char*>(out), count, work);
                    CHECK(cudaDeviceSynchronize());
                    std::printf("{\"what\": \"bytes\", \"threads\": %d, \"blocks\": %d, \"count\": %d, \"work\": %d}\n",
                                threads, blocks, count, work);
                }
    return 0;
}
