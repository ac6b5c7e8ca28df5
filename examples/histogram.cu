// A histogram with atomics: all on global memory, or first on a copy of its own for each block.
//
// Adding to a bin is read, add, write. Two threads that do it at the same time would lose a count, so the addition must
// be atomic, and atomics on one address queue up. With one histogram for the whole grid, every thread of the GPU queues
// for the few bins that are popular. With one in the shared memory of each block they only queue within the block, and
// the global bins see one addition per block and bin.
#include "check.h"

constexpr int kBins = 64;
constexpr int kThreads = 256;
constexpr int kBlocks = 64;

// Grid-stride loop: a fixed number of threads covers any n, and neighbouring threads always read neighbouring bytes.
__global__ void on_global(const unsigned char* data, int n, unsigned* bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i] % kBins], 1u);
}

__global__ void on_shared(const unsigned char* data, int n, unsigned* bins) {
    __shared__ unsigned own[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) own[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[data[i] % kBins], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += blockDim.x)
        if (own[b] != 0) atomicAdd(&bins[b], own[b]);
}

int main() {
    // Half of the data falls into one bin, as real data likes to do.
    const int n = 1000003;
    std::vector<unsigned char> data(n);
    unsigned state = 12;
    for (unsigned char& value : data) {
        state = state * 1664525u + 1013904223u;
        value = (state >> 24) % 2 == 0 ? 7 : static_cast<unsigned char>(state >> 16);
    }
    std::vector<unsigned> want(kBins);
    for (unsigned char value : data) ++want[value % kBins];

    unsigned char* d_data = to_device(data);
    unsigned* d_bins = device_buffer<unsigned>(kBins);
    Verdict verdict;

    CHECK(cudaMemset(d_bins, 0, kBins * sizeof(unsigned)));
    on_global<<<kBlocks, kThreads>>>(d_data, n, d_bins);
    finish_launch();
    verdict.equal("atomics on global memory", to_host(d_bins, kBins), want);

    CHECK(cudaMemset(d_bins, 0, kBins * sizeof(unsigned)));
    on_shared<<<kBlocks, kThreads>>>(d_data, n, d_bins);
    finish_launch();
    verdict.equal("atomics on shared memory first", to_host(d_bins, kBins), want);

    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_bins));
    return verdict.status();
}
