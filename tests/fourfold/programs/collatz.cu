// How long each number takes to fall to one: lanes that leave loops at different times, and the longest of all.
#include "fourfold.cuh"

__host__ __device__ inline unsigned steps_of(unsigned long long n) {
    unsigned steps = 0;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        ++steps;
    }
    return steps;
}

__global__ void fall(unsigned* steps, unsigned long long* longest, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    steps[i] = steps_of(i + 1);
    atomicMax(longest, static_cast<unsigned long long>(steps[i]) << 32 | (count - i));
}

int main() {
    constexpr unsigned count = 500;
    std::vector<unsigned> expected(count);
    unsigned long long best = 0;
    for (unsigned i = 0; i < count; ++i) {
        expected[i] = steps_of(i + 1);
        best = std::max(best, static_cast<unsigned long long>(expected[i]) << 32 | (count - i));
    }
    const Buffer<unsigned> steps(count);
    const Buffer<unsigned long long> longest(1);
    fall<<<4, 128>>>(steps, longest, count);
    return same("steps", steps.host(), expected) + same("longest", longest.host(), {best});
}
