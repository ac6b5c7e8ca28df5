// Sums and differences by doubling distance, in shared memory and between lanes.
#include "fourfold.cuh"

template <int Size>
__global__ void transform(int* data) {
    __shared__ int values[Size];
    const int t = threadIdx.x;
    int own = data[blockIdx.x * Size + t];
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_xor_sync(0xffffffff, own, distance);
        own = t & distance ? other - own : own + other;
    }
    for (int distance = 32; distance < Size; distance *= 2) {
        values[t] = own;
        __syncthreads();
        const int other = values[t ^ distance];
        __syncthreads();
        own = t & distance ? other - own : own + other;
    }
    data[blockIdx.x * Size + t] = own;
}

int main() {
    constexpr int size = 256, rows = 6;
    std::vector<int> values = numbers<int>(size * rows, -100, 100);
    const Buffer<int> data(values);
    transform<size><<<rows, size>>>(data);
    for (int r = 0; r < rows; ++r)
        for (int d = 1; d < size; d *= 2)
            for (int i = 0; i < size; ++i)
                if ((i & d) == 0) {
                    int &a = values[r * size + i], &b = values[r * size + i + d];
                    const int sum = a + b;
                    b = a - b;
                    a = sum;
                }
    return same("transformed", data.host(), values);
}
