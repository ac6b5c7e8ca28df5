// A small Mersenne-like generator whose state lies in a block's shared memory.
#pragma once
typedef unsigned int uint32;
#define STATE_N 32
__host__ __device__ void seed_state(uint32 seed, uint32* mt) {
    mt[0] = seed;
    for (int i = 1; i < STATE_N; i++) mt[i] = 1812433253U * (mt[i - 1] ^ (mt[i - 1] >> 30)) + i;
}
__host__ __device__ uint32 twist(const uint32* mt, int i) {
    uint32 y = mt[i] ^ mt[(i + 1) % STATE_N] << 3 ^ mt[(i + 13) % STATE_N] >> 5;
    return y ^ y << 7 ^ y >> 11;
}
