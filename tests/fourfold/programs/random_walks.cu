// Walkers on a ring with a linear congruential generator that jumps ahead; where they end, counted.
#include "fourfold.cuh"

__host__ __device__ inline unsigned long long jump(unsigned long long state, unsigned steps) {
    unsigned long long factor = 6364136223846793005ull, addend = 1442695040888963407ull;
    for (; steps != 0; steps >>= 1) {
        if (steps & 1) state = state * factor + addend;
        addend *= factor + 1;
        factor *= factor;
    }
    return state;
}

__host__ __device__ inline int walk(unsigned walker, int cells, int steps) {
    unsigned long long state = jump(42, walker * 1000);
    int at = cells / 2;
    for (int i = 0; i < steps; ++i) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        at += (state >> 60) % 3 - 1;
        at = at < 0 ? at + cells : at >= cells ? at - cells : at;
    }
    return at;
}

__global__ void walks(int* ends, int* counts, int cells, int steps, unsigned walkers) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= walkers) return;
    ends[i] = walk(i, cells, steps);
    atomicInc((unsigned*)&counts[ends[i]], 0xffffffff);
}

int main() {
    constexpr int walkers = 300, cells = 64, steps = 50;
    std::vector<int> ends(walkers), counts(cells);
    for (int i = 0; i < walkers; ++i) ++counts[ends[i] = walk(i, cells, steps)];
    const Buffer<int> out(walkers), sums(cells);
    walks<<<3, 100>>>(out, sums, cells, steps, walkers);
    return same("ends", out.host(), ends) + same("counts", sums.host(), counts);
}
