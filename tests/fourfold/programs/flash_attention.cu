// Attention with tiles of keys and a softmax that is corrected as it goes; with and without the mask of what comes
// later.
#include "fourfold.cuh"

constexpr int kHead = 32, kKeys = 16;

template <bool Causal>
__global__ void attend(const float* q, const float* k, const float* v, float* out, int length) {
    __shared__ float keys[kKeys][kHead], values[kKeys][kHead];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int head = blockIdx.y * length * kHead;
    float query[kHead], sums[kHead] = {}, largest = -1e30f, total = 0;
    for (int d = 0; d < kHead; ++d) query[d] = q[head + row * kHead + d] * rsqrtf(kHead);
    for (int at = 0; at < length; at += kKeys) {
        for (int i = threadIdx.x; i < kKeys * kHead; i += blockDim.x) {
            keys[i / kHead][i % kHead] = k[head + at * kHead + i];
            values[i / kHead][i % kHead] = v[head + at * kHead + i];
        }
        __syncthreads();
        for (int j = 0; j < kKeys; ++j) {
            if (Causal && at + j > row) break;
            float score = 0;
            for (int d = 0; d < kHead; ++d) score += query[d] * keys[j][d];
            const float higher = fmaxf(largest, score), old = __expf(largest - higher), now = __expf(score - higher);
            total = total * old + now;
            for (int d = 0; d < kHead; ++d) sums[d] = sums[d] * old + now * values[j][d];
            largest = higher;
        }
        __syncthreads();
    }
    for (int d = 0; d < kHead; ++d) out[head + row * kHead + d] = sums[d] / total;
}

int main() {
    constexpr int length = 64, heads = 2, count = heads * length * kHead;
    const std::vector<float> q = numbers<float>(count, -1, 1), k = numbers<float>(count, -1, 1, 2),
                             v = numbers<float>(count, -1, 1, 3);
    const Buffer<float> dq(q), dk(k), dv(v), all(count), causal(count);
    std::vector<float> expected[2] = {std::vector<float>(count), std::vector<float>(count)};
    for (int h = 0; h < heads * 2; ++h)
        for (int r = 0; r < length; ++r) {
            const int base = h / 2 * length * kHead, end = h % 2 ? r + 1 : length;
            double weights[length], total = 0;
            for (int j = 0; j < end; ++j) {
                double score = 0;
                for (int d = 0; d < kHead; ++d) score += double(q[base + r * kHead + d]) * k[base + j * kHead + d];
                total += weights[j] = std::exp(score / std::sqrt(double(kHead)));
            }
            for (int d = 0; d < kHead; ++d) {
                double sum = 0;
                for (int j = 0; j < end; ++j) sum += weights[j] / total * v[base + j * kHead + d];
                expected[h % 2][base + r * kHead + d] = static_cast<float>(sum);
            }
        }
    attend<false><<<dim3(2, heads), 32>>>(dq, dk, dv, all, length);
    attend<true><<<dim3(2, heads), 32>>>(dq, dk, dv, causal, length);
    return near("all", all.host(), expected[0], 1e-4) + near("causal", causal.host(), expected[1], 1e-4);
}
