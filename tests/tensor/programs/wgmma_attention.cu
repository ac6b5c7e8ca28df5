// Attention of one head by wgmma, a group of warps for 64 queries: scores from shared memory, a softmax that goes along
// with the keys, and its values times V with the probabilities in registers.
#include <cuda_fp16.h>

#include "group_product.h"
#include "product_check.h"

constexpr int kQueries = 64, kKeys = 192, kDepth = 64, kTile = 64 * 128;

__device__ unsigned packed(float low, float high) {
    const __half2 both = __floats2half2_rn(low, high);
    unsigned bits;
    memcpy(&bits, &both, 4);
    return bits;
}

__device__ void fetch(char* to, const __half* from) {
    for (int i = threadIdx.x; i < 64 * 8; i += 128)
        fetch_piece(shared_address(to) + swizzled_place(i / 8, i % 8), from + i / 8 * kDepth + i % 8 * 8);
}

__global__ void __launch_bounds__(128) attend(const __half* q, const __half* k, const __half* v, float* out) {
    __shared__ __align__(1024) char of_q[kTile], of_k[kTile], of_v[kTile];
    fetch(of_q, q);
    float sums[32] = {}, largest[2] = {-1e30f, -1e30f}, total[2] = {};
    for (int from = 0; from < kKeys; from += 64) {
        __syncthreads();
        fetch(of_k, k + from * kDepth);
        fetch(of_v, v + from * kDepth);
        asm volatile("cp.async.wait_all;" ::: "memory");
        publish();
        __syncthreads();
        float scores[32];
        products_begin();
        for (int step = 0; step < kDepth / 16; ++step)
            GROUP_PRODUCT("k16.f32.f16.f16", ", 1, 1, 0, 0", BOTH_WAYS_F, scores,
                          swizzled(shared_address(of_q) + step * 32), swizzled(shared_address(of_k) + step * 32), step);
        products_end();
        float scale[2];
        for (int half = 0; half < 2; ++half) {
            float most = largest[half];
            for (int n = 0; n < 32; ++n)
                if (n / 2 % 2 == half) most = fmaxf(most, scores[n] * 0.125f);
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
            scale[half] = expf(largest[half] - most);
            largest[half] = most;
            total[half] *= scale[half];
        }
        for (int n = 0; n < 32; ++n) {
            const int half = n / 2 % 2;
            scores[n] = expf(scores[n] * 0.125f - largest[half]);
            total[half] += scores[n];
            sums[n] *= scale[half];
        }
        // Sums of 16 keys lie in a thread's registers as the rows of a factor do.
        unsigned rows[4][4];
        for (int step = 0; step < 4; ++step)
            for (int r = 0; r < 4; ++r)
                rows[step][r] =
                    packed(scores[step * 8 + r / 2 * 4 + r % 2 * 2], scores[step * 8 + r / 2 * 4 + r % 2 * 2 + 1]);
        products_begin();
        for (int step = 0; step < 4; ++step)  // V's rows are keys: turned over
            GROUP_PRODUCT_OF_REGISTERS("k16.f32.f16.f16", ", 1, 1, 1", BOTH_WAYS_F, sums, rows[step],
                                       swizzled(shared_address(of_v) + step * 2048), 1);
        products_end();
    }
    for (int half = 0; half < 2; ++half) {
        total[half] += __shfl_xor_sync(~0u, total[half], 1);
        total[half] += __shfl_xor_sync(~0u, total[half], 2);
    }
    for (int n = 0; n < 32; ++n) out[row_of(n) * kDepth + column_of(n)] = sums[n] / total[n / 2 % 2];
}

int main() {
    std::vector<__half> q(kQueries * kDepth), k(kKeys * kDepth), v(kKeys * kDepth);
    Random random{4};
    for (auto* matrix : {&q, &k, &v})
        for (auto& x : *matrix) x = __float2half(random.between_halves() * 2);
    float* const out = to_device(std::vector<float>(kQueries * kDepth));
    attend<<<1, 128>>>(to_device(q), to_device(k), to_device(v), out);
    std::vector<double> expected(kQueries * kDepth);
    for (int row = 0; row < kQueries; ++row) {
        std::vector<double> weights(kKeys);
        double total = 0;
        for (int key = 0; key < kKeys; ++key) {
            double score = 0;
            for (int d = 0; d < kDepth; ++d)
                score += double{__half2float(q[row * kDepth + d])} * __half2float(k[key * kDepth + d]);
            total += weights[key] = std::exp(score * 0.125);
        }
        for (int key = 0; key < kKeys; ++key)
            for (int d = 0; d < kDepth; ++d)
                expected[row * kDepth + d] += weights[key] / total * __half2float(v[key * kDepth + d]);
    }
    return judge(
        to_host(out, kQueries * kDepth), [&](std::size_t i) { return expected[i]; }, 1e-3, false);
}
