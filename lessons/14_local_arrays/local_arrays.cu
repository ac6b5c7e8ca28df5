// Where a thread's own array lies: in registers if the compiler knows every index, in local memory if not.
//
//   local_arrays indices    sixteen counters a thread: variable index, constant index, shared memory
//   local_arrays agree      the same, with all threads counting alike
//   local_arrays spills     forty counters a thread: with registers enough, and with 32
//
// Build it alone: nvcc -std=c++17 local_arrays.cu
#include "../lesson.h"

constexpr int kThreads = 128, kBlocks = 8, kAll = kThreads * kBlocks, kSamples = 64;
constexpr int kFew = 16, kMany = 40;

// Which counter is only known when the sample is there. Registers have no addresses that could be computed, so this
// array lies elsewhere.
__global__ void by_variable(const int* samples, int* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine[kFew];
    for (int k = 0; k < kFew; ++k) mine[k] = 0;
    for (int s = 0; s < kSamples; ++s) {
        mine[samples[s * kAll + i]] += 1;  // [variable]
    }
    for (int k = 0; k < kFew; ++k) bins[k * kAll + i] = mine[k];
}

// The same counts. Each counter asks of each sample whether it is meant: sixteen times the questions, but once the
// loops over k are unrolled every index is a number.
template <int kBins>
__device__ void count_by_constant(const int* samples, int* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine[kBins];
#pragma unroll
    for (int k = 0; k < kBins; ++k) mine[k] = 0;
    for (int s = 0; s < kSamples; ++s) {
        const int sample = samples[s * kAll + i];
#pragma unroll
        for (int k = 0; k < kBins; ++k) mine[k] += sample == k;  // [constant]
    }
#pragma unroll
    for (int k = 0; k < kBins; ++k) bins[k * kAll + i] = mine[k];
}
__global__ void by_constant(const int* samples, int* bins) { count_by_constant<kFew>(samples, bins); }
__global__ void roomy(const int* samples, int* bins) { count_by_constant<kMany>(samples, bins); }

// The promise that 16 blocks of 128 threads fit on an SM leaves a thread 65,536 / (16 * 128) = 32 registers.
__global__ void __launch_bounds__(kThreads, 16) squeezed(const int* samples, int* bins) {
    count_by_constant<kMany>(samples, bins);
}

// The array of the first kernel as a column of shared memory: it has addresses, and it is on the chip.
__global__ void in_shared(const int* samples, int* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int mine[kFew][kThreads];
    for (int k = 0; k < kFew; ++k) mine[k][threadIdx.x] = 0;
    for (int s = 0; s < kSamples; ++s) {
        mine[samples[s * kAll + i]][threadIdx.x] += 1;  // [shared]
    }
    for (int k = 0; k < kFew; ++k) bins[k * kAll + i] = mine[k][threadIdx.x];
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "indices";
    const bool agree = is(variant, "agree"), spills = is(variant, "spills");
    if (!agree && !spills && !is(variant, "indices"))
        return std::fprintf(stderr, "usage: %s [indices|agree|spills]\n", argv[0]), 1;

    const int bins = spills ? kMany : kFew;
    std::vector<int> samples(kSamples * kAll), want(bins * kAll);
    for (int s = 0; s < kSamples; ++s)
        for (int i = 0; i < kAll; ++i) {
            const int sample = agree ? s * s % bins : (s * s + 7 * i + s * i) % bins;
            samples[s * kAll + i] = sample;
            want[sample * kAll + i] += 1;
        }
    const int* d_samples = to_device(samples);
    Verdict verdict;
    const auto run = [&](const char* name, void (*kernel)(const int*, int*)) {
        int* d_bins = device_buffer<int>(want.size());
        launch(name, [&] { kernel<<<kBlocks, kThreads>>>(d_samples, d_bins); });
        verdict.equal(name, to_host(d_bins, want.size()), want);
    };
    if (spills) {
        run("registers enough", roomy);
        run("32 registers", squeezed);
    } else {
        run("variable index", by_variable);
        run("constant index", by_constant);
        run("in shared memory", in_shared);
    }
    return verdict.status();
}
