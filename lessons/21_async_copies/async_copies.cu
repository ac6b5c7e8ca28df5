// From global into shared memory without a register in between: the copy, its wait and its barrier.
//
//   async_copies plain         a load into registers, a store into the tile
//   async_copies async         a copy that is under way, a wait, a barrier
//   async_copies ahead         the next tile's copy is under way while this one is used
//   async_copies no_wait       a barrier but no wait: wrong
//   async_copies no_barrier    a wait but no barrier: wrong
//
// Build it alone: nvcc -std=c++17 -arch=sm_80 async_copies.cu
#include <cuda_pipeline.h>

#include "../lesson.h"

constexpr int kThreads = 256, kBlocks = 64, kTiles = 16, kTile = 4 * kThreads;  // floats; four a thread, 16 bytes
constexpr int kAll = kBlocks * kTiles * kTile;

// The four floats of tile t that this thread brings.
__device__ const float4* mine(const float4* in, int t) {
    return &in[(blockIdx.x * kTiles + t) * kThreads + threadIdx.x];
}

// Each thread adds up, tile by tile, its own four floats and the four of the thread opposite.
__device__ float four_and_four(const float4* tile) {
    const float4 own = tile[threadIdx.x], other = tile[kThreads - 1 - threadIdx.x];  // [use]
    return own.x + own.y + own.z + own.w + other.x + other.y + other.z + other.w;
}

__global__ void plain(const float4* in, float* sums) {
    __shared__ float4 tile[kThreads];
    float sum = 0;
    for (int t = 0; t < kTiles; ++t) {
        tile[threadIdx.x] = *mine(in, t);  // [load]
        __syncthreads();
        sum += four_and_four(tile);
        __syncthreads();
    }
    sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

template <bool kWait, bool kBarrier>
__device__ void copied(const float4* in, float* sums) {
    __shared__ float4 tile[kThreads];
    float sum = 0;
    for (int t = 0; t < kTiles; ++t) {
        __pipeline_memcpy_async(&tile[threadIdx.x], mine(in, t), 16);  // [copy]
        __pipeline_commit();
        if (kWait) __pipeline_wait_prior(0);  // my own copies have arrived
        if (kBarrier) __syncthreads();        // and everybody else's, as they have waited, too
        sum += four_and_four(tile);
        __syncthreads();
    }
    sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}
__global__ void async(const float4* in, float* sums) { copied<true, true>(in, sums); }
__global__ void no_wait(const float4* in, float* sums) { copied<false, true>(in, sums); }
__global__ void no_barrier(const float4* in, float* sums) { copied<true, false>(in, sums); }

// Two tiles by turns: while one is used, the other one fills.
__global__ void ahead(const float4* in, float* sums) {
    __shared__ float4 tile[2][kThreads];
    const auto copy = [&](int t) {
        if (t < kTiles) __pipeline_memcpy_async(&tile[t % 2][threadIdx.x], mine(in, t), 16);
        __pipeline_commit();
    };
    float sum = 0;
    copy(0);
    for (int t = 0; t < kTiles; ++t) {
        copy(t + 1);
        __pipeline_wait_prior(1);  // all but the last commit
        __syncthreads();
        sum += four_and_four(tile[t % 2]);
        __syncthreads();
    }
    sums[blockIdx.x * kThreads + threadIdx.x] = sum;
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "async";
    void (*kernel)(const float4*, float*) = nullptr;
    if (is(variant, "plain")) kernel = plain;
    if (is(variant, "async")) kernel = async;
    if (is(variant, "ahead")) kernel = ahead;
    if (is(variant, "no_wait")) kernel = no_wait;
    if (is(variant, "no_barrier")) kernel = no_barrier;
    if (!kernel) {
        std::fprintf(stderr, "usage: %s [plain|async|ahead|no_wait|no_barrier]\n", argv[0]);
        return 1;
    }
    const std::vector<float> in = eighths(kAll);
    std::vector<float> want(kBlocks * kThreads);
    for (int i = 0; i < kAll; ++i) {
        const int block = i / (kTiles * kTile) * kThreads, thread = i % kTile / 4;
        want[block + thread] += in[i];
        want[block + kThreads - 1 - thread] += in[i];
    }
    float4* d_in = reinterpret_cast<float4*>(to_device(in));
    float* d_sums = device_buffer<float>(want.size());
    launch(variant, [&] { kernel<<<kBlocks, kThreads>>>(d_in, d_sums); });
    Verdict verdict;
    verdict.equal(variant, to_host(d_sums, want.size()), want);
    return verdict.status();
}
