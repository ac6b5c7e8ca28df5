// Softmax and layer normalisation of rows: sums by shuffles, then attention of one head without tensor cores.
#include <cmath>

#include "program.cuh"

template <class Op>
__device__ float over_block(float value, Op op, float identity) {
    __shared__ float parts[32];
    for (int m = 16; m > 0; m /= 2) value = op(value, __shfl_xor_sync(0xffffffffu, value, m));
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x % 32 < blockDim.x / 32 ? parts[threadIdx.x % 32] : identity;
    for (int m = 16; m > 0; m /= 2) value = op(value, __shfl_xor_sync(0xffffffffu, value, m));
    return value;
}
struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};
struct Most {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
__global__ void softmax(float* rows, int width) {
    float* row = rows + blockIdx.x * width;
    float most = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) most = fmaxf(most, row[i]);
    most = over_block(most, Most{}, -INFINITY);
    for (int i = threadIdx.x; i < width; i += blockDim.x) sum += row[i] = expf(row[i] - most);
    sum = over_block(sum, Sum{}, 0.0f);
    for (int i = threadIdx.x; i < width; i += blockDim.x) row[i] /= sum;
}
__global__ void normalise(float* rows, int width) {
    float* row = rows + blockIdx.x * width;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) sum += row[i], squares += row[i] * row[i];
    const float mean = over_block(sum, Sum{}, 0.0f) / width;
    const float variance = over_block(squares, Sum{}, 0.0f) / width - mean * mean;
    for (int i = threadIdx.x; i < width; i += blockDim.x) row[i] = (row[i] - mean) * rsqrtf(variance + 1e-5f);
}
// out[i][j] = sum over k of a[i][k] * b, which is transposed for the scores and not for the values.
__global__ void product(const float* a, const float* b, float* out, int inner, bool transposed, float scale) {
    const int i = blockIdx.x, j = threadIdx.x, width = blockDim.x;
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += a[i * inner + k] * (transposed ? b[j * inner + k] : b[k * width + j]);
    out[i * width + j] = sum * scale;
}

int main() {
    constexpr int tokens = 64, size = 32;
    std::vector<float> q(tokens * size), k(q), v(q);
    for (int i = 0; i < tokens * size; ++i) q[i] = std::sin(i * 0.7f), k[i] = std::cos(i * 0.3f), v[i] = i % 19 * 0.1f;
    std::vector<double> expected(tokens * size);
    for (int i = 0; i < tokens; ++i) {
        double weights[tokens], sum = 0, mean = 0, variance = 0;
        for (int j = 0; j < tokens; ++j) {
            double dot = 0;
            for (int c = 0; c < size; ++c) dot += q[i * size + c] * k[j * size + c];
            sum += weights[j] = std::exp(dot / std::sqrt(1.0 * size));
        }
        double* row = &expected[i * size];
        for (int c = 0; c < size; ++c) {
            for (int j = 0; j < tokens; ++j) row[c] += weights[j] / sum * v[j * size + c];
            mean += row[c] / size;
        }
        for (int c = 0; c < size; ++c) variance += (row[c] - mean) * (row[c] - mean) / size;
        for (int c = 0; c < size; ++c) row[c] = (row[c] - mean) / std::sqrt(variance + 1e-5);
    }
    float *dq = to_device(q), *dk = to_device(k), *dv = to_device(v), *out = to_device(q), *scores;
    CHECK(cudaMalloc(&scores, tokens * tokens * sizeof(float)));
    product<<<tokens, tokens>>>(dq, dk, scores, size, true, 1.0f / sqrtf(size));
    softmax<<<tokens, 64>>>(scores, tokens);
    product<<<tokens, size>>>(scores, dv, out, tokens, false, 1.0f);
    normalise<<<tokens, 32>>>(out, size);
    CHECK(cudaDeviceSynchronize());
    bool close = true;
    const std::vector<float> found = to_host(out, expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) close &= std::abs(found[i] - expected[i]) < 2e-3;
    for (float* p : {dq, dk, dv, out, scores}) CHECK(cudaFree(p));
    return verdict("attention and layer normalisation", close);
}
