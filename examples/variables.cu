// Which variable lies where, and how many of each there are: 8 blocks of 128 threads.
//
// A local scalar or array is every thread's own (1024 of each), a __shared__ variable every block's own (8 of each). A
// private array whose indices are all constants once loops are unrolled is kept in registers; with an index that is
// only known at run time it must have addresses, and lies in local memory: off the chip, like global memory. (NVIDIA's
// assembler makes an exception of arrays with four elements or fewer: it would rather select than store.)
#include "check.h"

constexpr int kBlocks = 8;
constexpr int kThreads = 128;
constexpr int kBins = 8;
constexpr int kStride = kBlocks * kThreads;  // from one element of a thread to its next

// 24 bytes of global memory a thread (four loads from a, one from b, one store) and 10 FLOP. 4 + 512 bytes of shared
// memory a block.
__global__ void in_registers(const float* a, float* b) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x[4];
    __shared__ float first;
    __shared__ float values[kThreads];
    for (unsigned int j = 0; j < 4; ++j) {
        x[j] = a[j * kStride + i];
    }
    if (threadIdx.x == 0) {
        first = x[0];
    }
    values[threadIdx.x] = b[i];
    __syncthreads();
    b[i] = 2.5f * x[0] + 0.5f * x[1] + 1.5f * x[2] + 3.0f * x[3] + first * values[threadIdx.x] +
           values[(threadIdx.x + 3) % kThreads];
}

// Each thread counts its own four samples into eight bins: which ones is only known at run time. Its loops are kept as
// loops, so that their indices are no constants either.
__global__ void in_local_memory(const int* samples, int* bins) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine[kBins];
#pragma unroll 1
    for (unsigned int k = 0; k < kBins; ++k) {
        mine[k] = 0;
    }
#pragma unroll 1
    for (unsigned int j = 0; j < 4; ++j) {
        mine[samples[j * kStride + i]] += 1;
    }
#pragma unroll 1
    for (unsigned int k = 0; k < kBins; ++k) {
        bins[k * kStride + i] = mine[k];
    }
}

// All values are eighths and small, so every order of summing gives the same bits.
static std::vector<float> weighted(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> result(b.size());
    for (int i = 0; i < kStride; ++i) {
        const int block = i / kThreads * kThreads;
        result[i] = 2.5f * a[i] + 0.5f * a[kStride + i] + 1.5f * a[2 * kStride + i] + 3.0f * a[3 * kStride + i] +
                    a[block] * b[i] + b[block + (i - block + 3) % kThreads];
    }
    return result;
}

static std::vector<int> counted(const std::vector<int>& samples) {
    std::vector<int> bins(kBins * kStride);
    for (std::size_t i = 0; i < samples.size(); ++i) bins[samples[i] * kStride + i % kStride] += 1;
    return bins;
}

int main() {
    Verdict verdict;

    const std::vector<float> a = eighths(4 * kStride, 1), b = eighths(kStride, 2);
    float* d_a = to_device(a);
    float* d_b = to_device(b);
    in_registers<<<kBlocks, kThreads>>>(d_a, d_b);
    finish_launch();
    verdict.equal("in registers", to_host(d_b, kStride), weighted(a, b));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));

    std::vector<int> samples(4 * kStride);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<int>(i * i / 7 % kBins);
    int* d_samples = to_device(samples);
    int* d_bins = device_buffer<int>(kBins * kStride);
    in_local_memory<<<kBlocks, kThreads>>>(d_samples, d_bins);
    finish_launch();
    verdict.equal("in local memory", to_host(d_bins, kBins * kStride), counted(samples));
    CHECK(cudaFree(d_samples));
    CHECK(cudaFree(d_bins));
    return verdict.status();
}
