// Mean and variance of rows in one pass: moments that are merged over the lanes of a warp.
#include "fourfold.cuh"

struct Moments {
    float count, mean, square;
};

__device__ Moments merge(Moments a, Moments b) {
    const float count = a.count + b.count;
    if (count == 0) return a;
    const float delta = b.mean - a.mean;
    return {count, a.mean + delta * b.count / count, a.square + b.square + delta * delta * a.count * b.count / count};
}

__global__ void statistics(const float* in, int columns, float2* out) {
    const float* row = in + blockIdx.x * columns;
    Moments mine = {0, 0, 0};
    for (int i = threadIdx.x; i < columns; i += 32) {
        mine.count += 1;
        const float delta = row[i] - mine.mean;
        mine.mean += delta / mine.count;
        mine.square += delta * (row[i] - mine.mean);
    }
    for (int mask = 16; mask; mask /= 2) {
        Moments other;
        other.count = __shfl_xor_sync(0xffffffffu, mine.count, mask);
        other.mean = __shfl_xor_sync(0xffffffffu, mine.mean, mask);
        other.square = __shfl_xor_sync(0xffffffffu, mine.square, mask);
        mine = merge(mine, other);
    }
    if (threadIdx.x == 0) out[blockIdx.x] = make_float2(mine.mean, mine.square / mine.count);
}

int main() {
    constexpr int rows = 12, columns = 333;
    const std::vector<float> values = numbers<float>(rows * columns, 10, 20);
    const Buffer<float> in(values);
    const Buffer<float2> out(rows);
    statistics<<<rows, 32>>>(in, columns, out);
    std::vector<float> means, variances, expected_means, expected_variances;
    for (const float2 each : out.host()) means.push_back(each.x), variances.push_back(each.y);
    for (int r = 0; r < rows; ++r) {
        double sum = 0, square = 0;
        for (int c = 0; c < columns; ++c) sum += values[r * columns + c];
        for (int c = 0; c < columns; ++c) square += std::pow(values[r * columns + c] - sum / columns, 2);
        expected_means.push_back(float(sum / columns)), expected_variances.push_back(float(square / columns));
    }
    return near("means", means, expected_means) + near("variances", variances, expected_variances);
}
