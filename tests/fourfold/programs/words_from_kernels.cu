// A kernel that prints, one that asserts what holds, and clocks that go forward.
#include <cassert>

#include "fourfold.cuh"

__global__ void say(int count) {
    assert(count > 0);
    if (threadIdx.x < count)
        printf("thread %d of %d: %5.2f %s %c %llx\n", threadIdx.x, blockDim.x, threadIdx.x * 0.25, "text",
               'a' + threadIdx.x, 0x123456789abcull * threadIdx.x);
}

__global__ void measure(int* forward) {
    const long long start = clock64();
    const unsigned first = clock();
    __nanosleep(100);
    const long long end = clock64();
    *forward = end >= start && clock() - first < 1u << 30;
}

int main() {
    const Buffer<int> forward(1);
    say<<<1, 32>>>(3);
    CHECK(cudaDeviceSynchronize());
    measure<<<1, 1>>>(forward);
    return same("forward", forward.host(), {1});
}
