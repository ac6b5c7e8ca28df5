// Products of numbers of size 1, whose size stays 1.
#pragma once
__device__ inline float next_float(unsigned long long* seed) {
    *seed = 2806196910506780709ULL * *seed + 1ULL;
    return (float)(*seed >> 40) / (float)(1 << 24);
}
template <class T>
__global__ void around(char* score, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long seed = i;
    T turn, z = {1, 0};
    for (int k = 0; k < 8; k++) {
        float angle = next_float(&seed);
        turn = {cosf(angle), sinf(angle)};
        z = times(z, turn);
    }
    score[i] = fabs(size_of(z) - 1) < 1e-4 ? 5 : 0;
}
