// Rows of a softmax in one pass: the largest and the sum are carried together, as pairs that merge.
#include "fourfold.cuh"

struct Carried {
    float largest, sum;
};

__device__ Carried merge(Carried a, Carried b) {
    const bool first = a.largest >= b.largest;
    const Carried high = first ? a : b, low = first ? b : a;
    return {high.largest, high.sum + low.sum * expf(low.largest - high.largest)};
}

__global__ void softmax(const float* in, float* out, int columns) {
    __shared__ Carried warps[8];
    const float* row = in + blockIdx.x * columns;
    Carried mine = {-1e30f, 0};
    for (int i = threadIdx.x; i < columns; i += blockDim.x) mine = merge(mine, {row[i], 1});
    for (int offset = 16; offset > 0; offset /= 2)
        mine = merge(mine, {__shfl_xor_sync(~0u, mine.largest, offset), __shfl_xor_sync(~0u, mine.sum, offset)});
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
    __syncthreads();
    Carried all = warps[0];
    for (unsigned i = 1; i < blockDim.x / 32; ++i) all = merge(all, warps[i]);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[blockIdx.x * columns + i] = __fdividef(expf(row[i] - all.largest), all.sum);
}

int main() {
    constexpr int rows = 16, columns = 500;
    const std::vector<float> values = numbers<float>(rows * columns, -20, 20);
    std::vector<float> expected(values.size());
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int i = 0; i < columns; ++i) sum += std::exp(double(values[r * columns + i]));
        for (int i = 0; i < columns; ++i)
            expected[r * columns + i] = static_cast<float>(std::exp(double(values[r * columns + i])) / sum);
    }
    const Buffer<float> in(values), out(values.size());
    softmax<<<rows, 128>>>(in, out, columns);
    return near("softmax", out.host(), expected);
}
