// Histograms: private to a block in shared memory, and in global memory.
//
// check: races
// case right: clean
// case global_atomics: clean
// case no_barrier_after_clearing: race shared CLEAR COUNT
// case no_barrier_before_merging: race shared COUNT MERGE
// case plain_counts: race shared COUNT_PLAIN COUNT_PLAIN
// case plain_counts_global: race global COUNT_GLOBAL COUNT_GLOBAL
// case plain_merge: race global MERGE_PLAIN MERGE_PLAIN
#include <cstring>

__device__ unsigned in[512], bins[16];

template <bool kAfterClearing, bool kBeforeMerging>
__global__ void in_shared() {
    __shared__ unsigned own[16];
    const int t = threadIdx.x;
    if (t >= 112) own[t - 112] = 0;  // @CLEAR
    if (kAfterClearing) __syncthreads();
    atomicAdd(&own[(in[blockIdx.x * 128 + t] + t) % 16], 1u);  // @COUNT
    if (kBeforeMerging) __syncthreads();
    if (t < 16) atomicAdd(&bins[t], own[t]);  // @MERGE
}

__global__ void plain_counts() {
    __shared__ unsigned own[16];
    const int t = threadIdx.x;
    if (t < 16) own[t] = 0;
    __syncthreads();
    ++own[t % 16];  // @COUNT_PLAIN
    __syncthreads();
    if (t < 16) atomicAdd(&bins[t], own[t]);
}

template <bool kAtomic>
__global__ void in_global() {
    const int bin = threadIdx.x % 16;
    if (kAtomic)
        atomicAdd(&bins[bin], 1u);
    else
        ++bins[bin];  // @COUNT_GLOBAL
}

__global__ void plain_merge() {
    __shared__ unsigned own[16];
    const int t = threadIdx.x;
    if (t < 16) own[t] = 0;
    __syncthreads();
    atomicAdd(&own[t % 16], 1u);
    __syncthreads();
    if (t < 16) bins[t] += own[t];  // @MERGE_PLAIN
}

int main(int, char** argv) {
    if (!strcmp(argv[1], "right")) in_shared<true, true><<<4, 128>>>();
    if (!strcmp(argv[1], "global_atomics")) in_global<true><<<4, 128>>>();
    if (!strcmp(argv[1], "no_barrier_after_clearing")) in_shared<false, true><<<4, 128>>>();
    if (!strcmp(argv[1], "no_barrier_before_merging")) in_shared<true, false><<<4, 128>>>();
    if (!strcmp(argv[1], "plain_counts")) plain_counts<<<4, 128>>>();
    if (!strcmp(argv[1], "plain_counts_global")) in_global<false><<<4, 128>>>();
    if (!strcmp(argv[1], "plain_merge")) plain_merge<<<4, 128>>>();
    return cudaDeviceSynchronize();
}
