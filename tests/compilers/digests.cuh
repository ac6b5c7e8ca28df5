// Digests of many results: a sum over arguments, whatever their order, of what hangs on both argument and result.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <iterator>

__host__ __device__ inline unsigned mixed(unsigned x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

__host__ __device__ inline unsigned long long digest(unsigned argument, unsigned long long result) {
    unsigned long long x = result + 0x9e3779b97f4a7c15ull * (argument + 1ull);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// Adds to one of the sums; in device code for a whole warp at once.
__host__ __device__ inline void digest_here(unsigned long long* sums, int at, unsigned argument,
                                            unsigned long long result) {
    unsigned long long sum = digest(argument, result);
#if defined(__CUDA_ARCH__)
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(sums + at, sum);
#else
    sums[at] += sum;
#endif
}

inline void print_digest(const char* area, const char* side, const char* name, unsigned long long sum) {
    std::printf("%s %s %s %016llx\n", area, side, name, sum);
}
