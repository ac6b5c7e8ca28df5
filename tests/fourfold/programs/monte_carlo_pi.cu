// Darts at a circle: a generator a thread whose state lies in memory between launches.
#include "fourfold.cuh"

struct Generator {
    unsigned x, y, z, w;
    __host__ __device__ unsigned next() {
        const unsigned t = x ^ (x << 11);
        x = y, y = z, z = w;
        return w = w ^ (w >> 19) ^ t ^ (t >> 8);
    }
};

__host__ __device__ inline Generator seeded(unsigned i) {
    return {123456789u + i, 362436069u ^ i * 7919u, 521288629u, 88675123u + i * i};
}

__global__ void seed(Generator* all) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    all[i] = seeded(i);
}

__global__ void throw_darts(Generator* all, unsigned long long* hits, int darts) {
    Generator own = all[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned count = 0;
    for (int i = 0; i < darts; ++i) {
        const float x = own.next() * 2.3283064e-10f, y = own.next() * 2.3283064e-10f;
        count += __fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)) < 1;
    }
    all[blockIdx.x * blockDim.x + threadIdx.x] = own;
    atomicAdd(hits, static_cast<unsigned long long>(__reduce_add_sync(~0u, count) * (threadIdx.x % 32 == 0)));
}

int main() {
    constexpr unsigned threads = 512;
    const Buffer<Generator> all(threads);
    const Buffer<unsigned long long> hits(1);
    seed<<<4, 128>>>(all);
    for (int round = 0; round < 2; ++round) throw_darts<<<4, 128>>>(all, hits, 20);
    unsigned long long expected = 0;
    for (unsigned i = 0; i < threads; ++i) {
        Generator own = seeded(i);
        for (int k = 0; k < 40; ++k) {
            const float x = own.next() * 2.3283064e-10f, y = own.next() * 2.3283064e-10f;
            expected += x * x + y * y < 1;
        }
    }
    return same("hits", hits.host(), {expected});
}
