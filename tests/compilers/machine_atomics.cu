// What machine code makes of atomics, and lanes that come together again after groups of their own. Each kernel is
// launched once, in the order of check_machine_atomics.py.
#include <cuda_fp16.h>

#include <cstdio>

__global__ void exch(int* p) { atomicExch(p + threadIdx.x, 1); }
__global__ void cas(int* p) { atomicCAS(p + threadIdx.x, 0, 1); }
__global__ void add(int* p) { atomicAdd(p + threadIdx.x, 1); }
__global__ void halves(__half* p) { atomicAdd(p + threadIdx.x, __float2half(1.0f)); }

// Four lanes for each sum: four turns.
__global__ void shared_float(float* out) {
    __shared__ float sums[8];
    if (threadIdx.x < 8) sums[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&sums[threadIdx.x % 8], out[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = sums[threadIdx.x];
}

// Lanes of a group name their group alone; all of them store at once.
__global__ void labelled(int* o, int* c) {
    const int t = static_cast<int>(threadIdx.x), key = t % 5;
    const unsigned members = __match_any_sync(~0u, key);
    const int leader = __ffs(static_cast<int>(members)) - 1;
    int r = 0;
    if (t == leader) r = atomicAdd(&c[key], __popc(members));
    r = __shfl_sync(members, r, leader);
    o[t] = r;
}

// The same by votes and warp barriers, time and again.
__global__ void labelled_loop(int* o) {
    const int t = static_cast<int>(threadIdx.x);
    unsigned members = 0xffu << t / 8 * 8;
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
        sum += __any_sync(members, t % 8 == i) ? 1 : 0;
        __syncwarp(members);
        o[t] = sum;
        members = i % 2 ? 0xffu << t / 8 * 8 : 0xfu << t / 4 * 4;
    }
}

int main() {
    int* p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    exch<<<1, 32>>>(p);
    cas<<<1, 32>>>(p);
    add<<<1, 32>>>(p);
    cudaMemset(p, 0, 4096);
    halves<<<1, 32>>>(reinterpret_cast<__half*>(p));
    cudaMemset(p, 0, 4096);
    shared_float<<<1, 32>>>(reinterpret_cast<float*>(p));
    labelled<<<1, 32>>>(p, p + 512);
    labelled_loop<<<1, 32>>>(p);
    printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "PASS" : "FAIL");
}
