// A histogram of two variables with weights, and what two pictures tell of each other.
#include "fourfold.cuh"

constexpr int bins = 8;

__device__ int bin_of(float value) { return min(bins - 1, max(0, (int)(value * bins))); }

__global__ void joint(const float* a, const float* b, const float* weights, int count, float* table) {
    __shared__ float mine[bins][bins + 1];
    for (int i = threadIdx.x; i < bins * (bins + 1); i += blockDim.x) mine[i / (bins + 1)][i % (bins + 1)] = 0.f;
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) atomicAdd(&mine[bin_of(a[i])][bin_of(b[i])], weights[i]);
    __syncthreads();
    for (int i = threadIdx.x; i < bins * bins; i += blockDim.x) table[i] = mine[i / bins][i % bins];
}

__global__ void information(const float* table, float total, float* out) {
    float left = 0, top = 0, sum = 0;
    const int x = threadIdx.x % bins, y = threadIdx.x / bins;
    for (int i = 0; i < bins; ++i) left += table[y * bins + i], top += table[i * bins + x];
    const float both = table[threadIdx.x] / total;
    if (both > 0) sum = both * logf(both * total * total / (left * top));
    out[threadIdx.x] = sum;
}

int main() {
    constexpr int count = 2000;
    const std::vector<float> a = numbers<float>(count, 0, 1, 1), noise = numbers<float>(count, 0, 1, 2);
    std::vector<float> b(count), weights(count), expected(bins * bins);
    float total = 0;
    for (int i = 0; i < count; ++i) {
        b[i] = (a[i] + noise[i]) / 2, weights[i] = static_cast<float>(1 + i % 4), total += weights[i];
        expected[std::min(bins - 1, int(a[i] * bins)) * bins + std::min(bins - 1, int(b[i] * bins))] += weights[i];
    }
    const Buffer<float> da(a), db(b), w(weights), table(bins * bins), out(bins * bins);
    joint<<<1, 128>>>(da, db, w, count, table);
    information<<<1, bins * bins>>>(table, total, out);
    double sum = 0;
    for (const float each : out.host()) sum += each;
    return same("table", table.host(), expected) + verdict("they know of each other", sum > 0.1 && sum < 2);
}
