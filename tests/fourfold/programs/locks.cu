// Blocks that take turns: a spin lock, a ticket, and a counter of those that came, in one kernel.
#include "fourfold.cuh"

__device__ int lock, ticket, serving;

__global__ void take_turns(volatile int* shared_sum, volatile int* order, int* arrived) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
        __threadfence();
        *shared_sum = *shared_sum + blockIdx.x;
        __threadfence();
        atomicExch(&lock, 0);
        const int mine = atomicAdd(&ticket, 1);
        while (atomicAdd(&serving, 0) != mine) __nanosleep(20);
        order[mine] = mine * 10;
        __threadfence();
        atomicAdd(&serving, 1);
    }
    __syncthreads();
    if (threadIdx.x == 1) atomicAdd(arrived, 1);
}

int main() {
    constexpr int blocks = 12;
    const Buffer<int> sum(1), order(blocks), arrived(1);
    take_turns<<<blocks, 32>>>(sum, order, arrived);
    std::vector<int> expected;
    for (int i = 0; i < blocks; ++i) expected.push_back(i * 10);
    return same("sum", sum.host(), {blocks * (blocks - 1) / 2}) + same("order", order.host(), expected) +
           same("arrived", arrived.host(), {blocks});
}
