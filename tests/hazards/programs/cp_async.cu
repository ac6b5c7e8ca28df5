// Asynchronous copies to shared memory: who waits for them, and who may look when.
//
// check: races
// case own_after_wait: clean
// case neighbour_after_barrier: clean
// case own_without_wait: race shared COPY USE_OWN
// case neighbour_without_barrier: race shared COPY USE_OTHER
// case pipeline: clean
// case pipeline_waits_for_too_few: race shared COPY USE_STAGE; maybe race shared COPY COPY
// case pipeline_no_last_barrier: race shared COPY USE_STAGE
// case pipeline_no_first_barrier: race shared COPY USE_STAGE
// case overwritten_source: race global COPY OVERWRITE
#include <cuda_pipeline.h>

#include <cstring>

__device__ int in[1024], out[64];

// Values that differ, so that a write changes what was there.
__global__ void start() {
    for (int i = threadIdx.x; i < sizeof in / sizeof in[0]; i += blockDim.x) in[i] = 3 * i + 1;
}

__device__ __forceinline__ void copy(int* shared, const int* global) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(global) : "memory");  // @COPY
}

template <bool kWait, bool kBarrier, bool kOther>
__global__ void once() {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    copy(&tile[t], &in[t]);
    __pipeline_commit();
    if (kWait) __pipeline_wait_prior(0);
    if (kBarrier) __syncthreads();
    if (kOther)
        out[t] = tile[63 - t];  // @USE_OTHER
    else
        out[t] = tile[t];  // @USE_OWN
}

template <int kPending, bool kFirst, bool kLast>
__global__ void pipeline() {
    __shared__ int tile[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    copy(&tile[0][t], &in[t]);
    __pipeline_commit();
    for (int k = 0; k < 8; ++k) {
        if (k + 1 < 8) copy(&tile[(k + 1) % 2][t], &in[(k + 1) * 64 + t]);
        __pipeline_commit();
        __pipeline_wait_prior(kPending);
        if (kFirst) __syncthreads();
        sum += tile[k % 2][63 - t];  // @USE_STAGE
        if (kLast) __syncthreads();
    }
    out[t] = sum;
}

__global__ void overwritten_source() {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    copy(&tile[t], &in[t]);
    __pipeline_commit();
    in[63 - t] = t;  // @OVERWRITE
    __pipeline_wait_prior(0);
    out[t] = tile[t];
}

int main(int, char** argv) {
    start<<<1, 128>>>();
    if (!strcmp(argv[1], "own_after_wait")) once<true, false, false><<<1, 64>>>();
    if (!strcmp(argv[1], "neighbour_after_barrier")) once<true, true, true><<<1, 64>>>();
    if (!strcmp(argv[1], "own_without_wait")) once<false, false, false><<<1, 64>>>();
    if (!strcmp(argv[1], "neighbour_without_barrier")) once<true, false, true><<<1, 64>>>();
    if (!strcmp(argv[1], "pipeline")) pipeline<1, true, true><<<1, 64>>>();
    if (!strcmp(argv[1], "pipeline_waits_for_too_few")) pipeline<2, true, true><<<1, 64>>>();
    if (!strcmp(argv[1], "pipeline_no_last_barrier")) pipeline<1, true, false><<<1, 64>>>();
    if (!strcmp(argv[1], "pipeline_no_first_barrier")) pipeline<1, false, true><<<1, 64>>>();
    if (!strcmp(argv[1], "overwritten_source")) overwritten_source<<<1, 64>>>();
    return cudaDeviceSynchronize();
}
