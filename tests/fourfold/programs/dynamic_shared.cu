// Shared memory whose size the launch says: several arrays of several types in one, and more than is given unasked.
#include "fourfold.cuh"

extern __shared__ __align__(16) unsigned char bytes[];

__global__ void several(const double* in, double* out, int count) {
    double* const numbers_here = reinterpret_cast<double*>(bytes);
    int* const places = reinterpret_cast<int*>(numbers_here + count);
    char* const flags = reinterpret_cast<char*>(places + count);
    const int t = threadIdx.x;
    numbers_here[t] = in[t], places[t] = (t * 5 + 2) % count, flags[t] = t % 3 == 0;
    __syncthreads();
    out[t] = flags[places[t]] ? numbers_here[places[t]] : -numbers_here[t];
}

__global__ void large(int* out, int words) {
    int* const values = reinterpret_cast<int*>(bytes);
    for (int i = threadIdx.x; i < words; i += blockDim.x) values[i] = i * 3;
    __syncthreads();
    int sum = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x) sum += values[words - 1 - i];
    atomicAdd(out, sum);
}

int main() {
    constexpr int count = 64, words = 18000;
    const std::vector<double> values = numbers<double>(count, -1, 1);
    std::vector<double> expected;
    for (int t = 0; t < count; ++t) {
        const int place = (t * 5 + 2) % count;
        expected.push_back(place % 3 == 0 ? values[place] : -values[t]);
    }
    const Buffer<double> in(values), out(count);
    const Buffer<int> sum(1);
    several<<<1, count, count*(sizeof(double) + sizeof(int) + 1)>>>(in, out, count);
    CHECK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, words * 4));
    large<<<1, 256, words * 4>>>(sum, words);
    return same("several", out.host(), expected) + same("large", sum.host(), {3 * (words / 2) * (words - 1)});
}
