// Flash attention forward, causal, by mma.sync: a warp for 16 queries, keys in tiles of 32, V turned over by ldmatrix.
#include <cuda_fp16.h>

#include "product_check.h"

constexpr int kLength = 64, kDepth = 32, kTile = 32, kPitch = kDepth + 8;

__device__ unsigned packed(float low, float high) {
    const __half2 both = __floats2half2_rn(low, high);
    unsigned bits;
    memcpy(&bits, &both, 4);
    return bits;
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void attend(const __half* q, const __half* k, const __half* v, float* out) {
    __shared__ __align__(16) __half of_k[kTile][kPitch], of_v[kTile][kPitch];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int head = blockIdx.x * kLength * kDepth, row = warp * 16 + g;
    unsigned left[kDepth / 16][4];
    for (int step = 0; step < kDepth / 16; ++step)
        for (int r = 0; r < 4; ++r)
            left[step][r] = *reinterpret_cast<const unsigned*>(q + head + (row + r % 2 * 8) * kDepth + step * 16 +
                                                               t * 2 + r / 2 * 8);
    float sums[kDepth / 8][4] = {}, largest[2] = {-1e30f, -1e30f}, total[2] = {};
    for (int from = 0; from < kLength; from += kTile) {
        __syncthreads();
        for (int i = threadIdx.x; i < kTile * kDepth / 8; i += blockDim.x) {
            const int y = i / (kDepth / 8), x = i % (kDepth / 8) * 8;
            *reinterpret_cast<uint4*>(&of_k[y][x]) =
                *reinterpret_cast<const uint4*>(k + head + (from + y) * kDepth + x);
            *reinterpret_cast<uint4*>(&of_v[y][x]) =
                *reinterpret_cast<const uint4*>(v + head + (from + y) * kDepth + x);
        }
        __syncthreads();
        float scores[kTile / 8][4] = {};
        for (int j = 0; j < kTile / 8; ++j)
            for (int step = 0; step < kDepth / 16; ++step)
                multiply(scores[j], left[step], *reinterpret_cast<const unsigned*>(&of_k[j * 8 + g][step * 16 + t * 2]),
                         *reinterpret_cast<const unsigned*>(&of_k[j * 8 + g][step * 16 + t * 2 + 8]));
        for (int j = 0; j < kTile / 8; ++j)
            for (int e = 0; e < 4; ++e)
                scores[j][e] = from + j * 8 + t * 2 + e % 2 > row + e / 2 * 8 ? -1e30f : scores[j][e] * 0.1767767f;
        for (int half = 0; half < 2; ++half) {
            float most = largest[half];
            for (int j = 0; j < kTile / 8; ++j) most = fmaxf(most, fmaxf(scores[j][half * 2], scores[j][half * 2 + 1]));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
            const float scale = expf(largest[half] - most);
            largest[half] = most;
            total[half] *= scale;
            for (int j = 0; j < kDepth / 8; ++j) sums[j][half * 2] *= scale, sums[j][half * 2 + 1] *= scale;
            for (int j = 0; j < kTile / 8; ++j)
                for (int e = 0; e < 2; ++e)
                    total[half] += scores[j][half * 2 + e] = expf(scores[j][half * 2 + e] - most);
        }
        for (int step = 0; step < kTile / 16; ++step) {
            const float(&low)[4] = scores[step * 2], (&high)[4] = scores[step * 2 + 1];
            const unsigned weights[4] = {packed(low[0], low[1]), packed(low[2], low[3]), packed(high[0], high[1]),
                                         packed(high[2], high[3])};
            for (int j = 0; j < kDepth / 8; ++j) {
                unsigned b[2];
                const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&of_v[step * 16 + lane % 16][j * 8]));
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                             : "=r"(b[0]), "=r"(b[1])
                             : "r"(at));
                multiply(sums[j], weights, b[0], b[1]);
            }
        }
    }
    for (int half = 0; half < 2; ++half) {
        total[half] += __shfl_xor_sync(~0u, total[half], 1);
        total[half] += __shfl_xor_sync(~0u, total[half], 2);
        for (int j = 0; j < kDepth / 8; ++j)
            for (int e = 0; e < 2; ++e)
                out[head + (row + half * 8) * kDepth + j * 8 + t * 2 + e] = sums[j][half * 2 + e] / total[half];
    }
}

int main() {
    constexpr int kHeads = 2, kElements = kHeads * kLength * kDepth;
    std::vector<__half> q(kElements), k(kElements), v(kElements);
    Random random{6};
    for (auto* matrix : {&q, &k, &v})
        for (auto& x : *matrix) x = __float2half(random.between_halves() * 4);
    float* const out = to_device(std::vector<float>(kElements));
    attend<<<kHeads, kLength / 16 * 32>>>(to_device(q), to_device(k), to_device(v), out);
    std::vector<double> expected(kElements);
    for (int row = 0; row < kHeads * kLength; ++row) {
        const int first = row / kLength * kLength;
        std::vector<double> weights;
        double total = 0;
        for (int key = first; key <= row; ++key) {
            double score = 0;
            for (int d = 0; d < kDepth; ++d)
                score += double{__half2float(q[row * kDepth + d])} * __half2float(k[key * kDepth + d]);
            weights.push_back(std::exp(score * 0.1767767));
            total += weights.back();
        }
        for (int key = first; key <= row; ++key)
            for (int d = 0; d < kDepth; ++d)
                expected[row * kDepth + d] += weights[key - first] / total * __half2float(v[key * kDepth + d]);
    }
    return judge(
        to_host(out, kElements), [&](std::size_t i) { return expected[i]; }, 2e-3, false);
}
