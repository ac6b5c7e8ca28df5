// A sum of a block in shared memory, as slides teach it: interleaved, from half to half, and the last warp unrolled.
#include <numeric>

#include "fourfold.cuh"

__global__ void interleaved(const int* in, int* out) {
    extern __shared__ int data[];
    data[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        if (threadIdx.x % (2 * step) == 0) data[threadIdx.x] += data[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = data[0];
}

__global__ void halving(const int* in, int* out) {
    extern __shared__ int data[];
    const unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    data[threadIdx.x] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step >>= 1) {
        if (threadIdx.x < step) data[threadIdx.x] += data[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = data[0];
}

__device__ void last_warp(volatile int* data, int t) {
    if (t < 32) data[t] += data[t + 32];
    __syncwarp();
    for (int step = 16; step > 0; step >>= 1) {
        const int other = data[t + step];
        __syncwarp();
        data[t] += other;
        __syncwarp();
    }
}

template <unsigned Threads>
__global__ void unrolled(const int* in, int* out) {
    __shared__ int data[Threads];
    const int t = threadIdx.x;
    data[t] = in[blockIdx.x * Threads + t];
    __syncthreads();
    if (Threads >= 256 && t < 128) data[t] += data[t + 128];
    __syncthreads();
    if (Threads >= 128 && t < 64) data[t] += data[t + 64];
    __syncthreads();
    if (t < 32) last_warp(data, t);
    if (t == 0) out[blockIdx.x] = data[0];
}

int main() {
    constexpr int count = 4096, threads = 256, blocks = count / threads;
    const std::vector<int> values = numbers<int>(count, -50, 100);
    const std::vector<int> total{std::accumulate(values.begin(), values.end(), 0)};
    const Buffer<int> in(values), parts(blocks), sum(1);
    int bad = 0;
    interleaved<<<blocks, threads, threads * sizeof(int)>>>(in, parts);
    interleaved<<<1, blocks, blocks * sizeof(int)>>>(parts, sum);
    bad += same("interleaved", sum.host(), total);
    halving<<<blocks / 2, threads, threads * sizeof(int)>>>(in, parts);
    halving<<<1, blocks / 4, blocks / 4 * sizeof(int)>>>(parts, sum);
    bad += same("halving", sum.host(), total);
    unrolled<threads><<<blocks, threads>>>(in, parts);
    interleaved<<<1, blocks, blocks * sizeof(int)>>>(parts, sum);
    bad += same("unrolled", sum.host(), total);
    return bad;
}
