// Primes below a number: bits cleared with atomics, counted by population.
#include "fourfold.cuh"

__global__ void strike(unsigned* bits, int limit) {
    const int p = blockIdx.x + 2;
    for (int i = 2; i * i <= p; ++i)
        if (p % i == 0) return;
    for (int m = p * p + threadIdx.x * p; m < limit; m += blockDim.x * p) atomicAnd(&bits[m / 32], ~(1u << (m % 32)));
}

__global__ void count(const unsigned* bits, int* total, int words) {
    int mine = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x) mine += __popc(bits[i]);
    atomicAdd_block(total, mine);
}

int main() {
    constexpr int limit = 4096, words = limit / 32;
    std::vector<unsigned> bits(words, 0xffffffff), expected(words);
    bits[0] &= ~3u;
    int primes = 0;
    for (int i = 2; i < limit; ++i) {
        bool prime = true;
        for (int d = 2; d * d <= i && prime; ++d) prime = i % d != 0;
        if (prime) expected[i / 32] |= 1u << (i % 32), ++primes;
    }
    const Buffer<unsigned> device(bits);
    const Buffer<int> total(1);
    strike<<<62, 64>>>(device, limit);
    count<<<1, 64>>>(device, total, words);
    return same("sieve", device.host(), expected) + same("count", total.host(), {primes});
}
