// Neighbours swap in turns until all are in order, with a flag that says whether any did.
#include <algorithm>

#include "fourfold.cuh"

template <class T>
__device__ void swap_if_greater(T& a, T& b, int* moved) {
    if (a > b) {
        const T kept = a;
        a = b;
        b = kept;
        *moved = 1;
    }
}

template <class T>
__global__ void turn(T* data, int count, int parity, int* moved) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + parity;
    if (i + 1 < count) swap_if_greater(data[i], data[i + 1], moved);
}

int main() {
    constexpr int count = 40;
    std::vector<float> values = numbers<float>(count, -1, 1);
    const Buffer<float> data(values);
    const Buffer<int> moved(1);
    int rounds = 0, still = 1;
    while (still) {
        CHECK(cudaMemset(moved, 0, sizeof(int)));
        for (int parity = 0; parity < 2; ++parity) turn<float><<<1, 32>>>(data, count, parity, moved);
        CHECK(cudaMemcpy(&still, moved, sizeof still, cudaMemcpyDeviceToHost));
        ++rounds;
    }
    std::printf("%d rounds\n", rounds);
    std::sort(values.begin(), values.end());
    return same("sorted", data.host(), values);
}
