// Every atomic, on global and on shared memory, of several types; and one made of compare and swap.
#include <algorithm>

#include "fourfold.cuh"

__device__ double atomic_larger(double* at, double value) {
    auto* const word = reinterpret_cast<unsigned long long*>(at);
    unsigned long long old = *word, assumed;
    do {
        assumed = old;
        if (__longlong_as_double(assumed) >= value) break;
        old = atomicCAS(word, assumed, __double_as_longlong(value));
    } while (old != assumed);
    return __longlong_as_double(old);
}

__global__ void every(int* out, unsigned long long* wide, double* larger, const double* values) {
    __shared__ int local[2];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 2) local[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&out[0], i);
    atomicSub(&out[1], i);
    atomicMin(&out[2], -i * 3);
    atomicMax(&out[3], i ^ 21);
    atomicAnd(&out[4], ~(1 << i % 20));
    atomicOr(&out[5], 1 << i % 20);
    atomicXor(&out[6], i * 77);
    atomicInc((unsigned*)&out[7], 6);
    atomicDec((unsigned*)&out[8], 9);
    if (i == 5) atomicExch(&out[9], 1234);
    atomicAdd(&wide[0], 1ull << i % 40);
    atomicMax(&wide[1], static_cast<unsigned long long>(i) << 33);
    atomicAdd(&local[0], i);
    atomicMax(&local[1], i);
    atomic_larger(larger, values[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd_system(&out[10], local[0]), atomicMax_block(&out[11 + blockIdx.x], local[1]);
}

int main() {
    constexpr int count = 128;
    const std::vector<double> values = numbers<double>(count, -5, 5);
    std::vector<int> start(13, 0), expected(13);
    start[4] = -1;
    std::vector<unsigned long long> wide(2);
    expected = start;
    for (int i = 0; i < count; ++i) {
        expected[0] += i, expected[1] -= i, expected[2] = std::min(expected[2], -i * 3),
                                            expected[3] = std::max(expected[3], i ^ 21);
        expected[4] &= ~(1 << i % 20), expected[5] |= 1 << i % 20, expected[6] ^= i * 77;
        expected[7] = expected[7] >= 6 ? 0 : expected[7] + 1, expected[8] = expected[8] == 0 ? 9 : expected[8] - 1;
        expected[10] += i, expected[11 + i / 64] = i;
        wide[0] += 1ull << i % 40, wide[1] = static_cast<unsigned long long>(i) << 33;
    }
    expected[9] = 1234;
    const Buffer<int> out(start);
    const Buffer<unsigned long long> big(2);
    const Buffer<double> larger(1), in(values);
    every<<<2, 64>>>(out, big, larger, in);
    return same("words", out.host(), expected) + same("wide", big.host(), wide) +
           same("larger", larger.host(), {*std::max_element(values.begin(), values.end())});
}
