// Atomics on floats in shared memory, which no unit there does: each is a loop that compares and swaps.
#include "pairs.h"

using namespace pairs;

// Weighted bins: with a copy for every lane, the lanes of a warp never meet.
constexpr int kBins = 64, kCopies = 32;
__global__ void shared_atomics_bins_before(const unsigned char* bins, const float* weights, float* out, int n) {
    __shared__ float own[kBins];
    if (threadIdx.x < kBins) own[threadIdx.x] = 0;
    __syncthreads();
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        atomicAdd(&own[bins[i]], weights[i]);  // fault: shared_atomics_bins
    }
    __syncthreads();
    if (threadIdx.x < kBins) atomicAdd(&out[threadIdx.x], own[threadIdx.x]);
}
__global__ void shared_atomics_bins_after(const unsigned char* bins, const float* weights, float* out, int n) {
    __shared__ float own[kBins * kCopies];
    for (int k = threadIdx.x; k < kBins * kCopies; k += blockDim.x) own[k] = 0;
    __syncthreads();
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        atomicAdd(&own[bins[i] * kCopies + threadIdx.x % kCopies], weights[i]);
    }
    __syncthreads();
    if (threadIdx.x < kBins) {
        float sum = 0;
        for (int k = 0; k < kCopies; ++k) sum += own[threadIdx.x * kCopies + (k + threadIdx.x) % kCopies];
        atomicAdd(&out[threadIdx.x], sum);
    }
}
void bins(Suite& suite) {
    const int n = scaled(1 << 20);
    // Half of all fall into one bin of eight.
    Array<unsigned char> places(n, [](int i) { return hash(i) % (hash(i + 5) % 2 ? kBins : 8); });
    Array<float> weights(n, unit), out(kBins);
    std::vector<double> expected(kBins);
    for (int i = 0; i < n; ++i) expected[places.at(i)] += weights.at(i);
    suite.pair(
        "shared_atomics_bins", out, [&] { shared_atomics_bins_before<<<264, 256>>>(places, weights, out, n); },
        [&] { shared_atomics_bins_after<<<264, 256>>>(places, weights, out, n); }, [&](int i) { return expected[i]; },
        1e-3);
}

// A block's sum into one place: the lanes meet by shuffles, then a warp adds once.
__global__ void shared_atomics_sum_before(const float* x, float* out) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * blockDim.x + threadIdx.x]);  // fault: shared_atomics_sum
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void shared_atomics_sum_after(const float* x, float* out) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    float v = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, v);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
void sum(Suite& suite) {
    const int n = scaled(3 << 19);
    Array<float> x(n, unit), out(n / 256);
    suite.pair(
        "shared_atomics_sum", out, [&] { shared_atomics_sum_before<<<n / 256, 256>>>(x, out); },
        [&] { shared_atomics_sum_after<<<n / 256, 256>>>(x, out); },
        [&](int i) {
            double total = 0;
            for (int k = 0; k < 256; ++k) total += x.at(i * 256 + k);
            return total;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    bins(suite);
    sum(suite);
    return suite.status();
}
