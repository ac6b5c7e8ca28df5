// What sums in few words of shared memory take, of floats (a loop of compare-and-swap) and of integers, by number of
// words and order of lanes: 264 blocks of 256 threads, 16 sums a thread, all words of a block together.
//
// Prints one JSON line a launch: {"type", "order", "places", "us"}: the median of nine, by events, each behind a kernel
// that spins.
#include <cstdio>

#include "updates.h"

constexpr unsigned kWords = 4096, kEach = 16;

template <class T, Order order>
__global__ void add(T* out, unsigned places) {
    __shared__ T words[kWords];
    for (unsigned i = threadIdx.x; i < kWords; i += blockDim.x) words[i] = 0;
    __syncthreads();
    for (unsigned k = 0; k < kEach; ++k) {
        const unsigned i = (blockIdx.x * kEach + k) * blockDim.x + threadIdx.x;
        atomicAdd(&words[place_of<order>(i) & (places - 1)], T(1));
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = words[blockIdx.x & (kWords - 1)];
}

template <class T, Order order>
void add_in_order(const char* type, T* out) {
    for (const unsigned places : {1, 2, 4, 8, 32, 256, 1024})
        std::printf("{\"type\": \"%s\", \"order\": %d, \"places\": %u, \"us\": %.2f}\n", type, order, places,
                    microseconds(9, true, [&] { add<T, order><<<264, 256>>>(out, places); }));
}

template <class T>
void add_everywhere(const char* type, T* out) {
    add_in_order<T, kRandom>(type, out);
    add_in_order<T, kInTurn>(type, out);
    add_in_order<T, kWarpsAlike>(type, out);
}

int main() {
    void* out = nullptr;
    CHECK(cudaMalloc(&out, 264 * sizeof(float)));
    add_everywhere("int", static_cast<unsigned*>(out));
    add_everywhere("float", static_cast<float*>(out));
    CHECK(cudaFree(out));
    return 0;
}
