// What the programs about atomics share: the order in which lanes update places, and the stopwatch.
#pragma once
#include <algorithm>
#include <vector>

#include "../../examples/check.h"

enum Order { kRandom, kInTurn, kWarpsAlike };  // lanes at random, one behind the other, all of a warp at one place

__global__ void spin(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

__device__ unsigned hash(unsigned i) {
    i = (i ^ 61u) ^ (i >> 16);
    i *= 9u;
    i ^= i >> 4;
    i *= 0x27d4eb2du;
    return i ^ (i >> 15);
}

// The place of update `i`, before it is brought into range.
template <Order order>
__device__ unsigned place_of(unsigned i) {
    return order == kRandom ? hash(i) : order == kInTurn ? i : hash(i / 32);
}

// By events: the median of so many launches, each behind a kernel that spins, or the least of them without that.
template <class Launch>
double microseconds(int times, bool spins, Launch launch) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> all;
    for (int i = 0; i < times; ++i) {
        if (spins) spin<<<1, 1>>>(40000);
        CHECK(cudaEventRecord(begin));
        launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        all.push_back(ms * 1000);
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    std::sort(all.begin(), all.end());
    return spins ? all[all.size() / 2] : all.front();
}
