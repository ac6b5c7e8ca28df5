// Attention of one head, row by row of 16 queries: two products by mma.sync, and a softmax that goes along with them.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <cuda_fp16.h>

constexpr int kQueries = 32, kKeys = 64, kWide = 16;

__device__ unsigned packed(float low, float high) {
    const __half2 both = __floats2half2_rn(low, high);
    unsigned bits;
    memcpy(&bits, &both, sizeof bits);
    return bits;
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// v lies by columns: v[wide][key].
__global__ void attend(const __half* q, const __half* k, const __half* v, float* out) {
    const int lane = threadIdx.x, group = lane / 4, pair = lane % 4 * 2, first = blockIdx.x * 16;
    const auto word = [](const __half* at) { return *reinterpret_cast<const unsigned*>(at); };
    const unsigned query[4] = {word(q + (first + group) * kWide + pair), word(q + (first + group + 8) * kWide + pair),
                               word(q + (first + group) * kWide + pair + 8),
                               word(q + (first + group + 8) * kWide + pair + 8)};
    float most[2] = {-1e30f, -1e30f}, sum[2] = {0, 0}, result[2][4] = {};
    for (int key = 0; key < kKeys; key += 16) {
        float score[2][4] = {};
        for (int j = 0; j < 2; ++j) {
            const __half* from = k + (key + j * 8 + group) * kWide + pair;
            multiply(score[j], query, word(from), word(from + 8));
        }
        for (int half = 0; half < 2; ++half) {
            float highest = most[half];
            for (int j = 0; j < 2; ++j) highest = fmaxf(highest, fmaxf(score[j][half * 2], score[j][half * 2 + 1]));
            highest = fmaxf(highest, __shfl_xor_sync(~0u, highest, 1));
            highest = fmaxf(highest, __shfl_xor_sync(~0u, highest, 2));
            const float shrink = exp2f(most[half] - highest);
            most[half] = highest;
            sum[half] *= shrink;
            for (int j = 0; j < 2; ++j)
                for (int i = 0; i < 2; ++i) {
                    score[j][half * 2 + i] = exp2f(score[j][half * 2 + i] - highest);
                    sum[half] += score[j][half * 2 + i];
                    result[j][half * 2 + i] *= shrink;
                }
        }
        const unsigned weight[4] = {packed(score[0][0], score[0][1]), packed(score[0][2], score[0][3]),
                                    packed(score[1][0], score[1][1]), packed(score[1][2], score[1][3])};
        for (int j = 0; j < 2; ++j) {
            const __half* from = v + (j * 8 + group) * kKeys + key + pair;
            multiply(result[j], weight, word(from), word(from + 8));
        }
    }
    for (int half = 0; half < 2; ++half) {
        sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
        sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 2; ++i)
                out[(first + group + half * 8) * kWide + j * 8 + pair + i] = result[j][half * 2 + i] / sum[half];
    }
}

int main() {
    std::vector<__half> q(kQueries * kWide), k(kKeys * kWide), v(kWide * kKeys);
    std::uint32_t state = 7;
    const auto next = [&] {
        return __float2half(static_cast<float>((state = state * 1664525 + 1013904223) >> 8) / 8388608.0f - 1.0f);
    };
    for (auto* all : {&q, &k, &v})
        for (auto& x : *all) x = next();
    __half *device_q, *device_k, *device_v;
    float* device_out;
    cudaMalloc(&device_q, q.size() * 2);
    cudaMalloc(&device_k, k.size() * 2);
    cudaMalloc(&device_v, v.size() * 2);
    cudaMalloc(&device_out, q.size() * 4);
    cudaMemcpy(device_q, q.data(), q.size() * 2, cudaMemcpyHostToDevice);
    cudaMemcpy(device_k, k.data(), k.size() * 2, cudaMemcpyHostToDevice);
    cudaMemcpy(device_v, v.data(), v.size() * 2, cudaMemcpyHostToDevice);
    attend<<<kQueries / 16, 32>>>(device_q, device_k, device_v, device_out);
    std::vector<float> out(q.size());
    cudaMemcpy(out.data(), device_out, out.size() * 4, cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int row = 0; row < kQueries; ++row) {
        double weights[kKeys], sum = 0;
        for (int key = 0; key < kKeys; ++key) {
            double score = 0;
            for (int i = 0; i < kWide; ++i)
                score += static_cast<double>(__half2float(q[row * kWide + i])) * __half2float(k[key * kWide + i]);
            sum += weights[key] = __builtin_exp2(score);
        }
        for (int i = 0; i < kWide; ++i) {
            double expected = 0;
            for (int key = 0; key < kKeys; ++key) expected += weights[key] * __half2float(v[i * kKeys + key]);
            const double off = expected / sum - out[row * kWide + i];
            worst = off > worst ? off : -off > worst ? -off : worst;
        }
    }
    std::printf("%s: %s, at most %.5f off\n", worst <= 2e-3 ? "PASS" : "FAIL", cudaGetErrorString(cudaGetLastError()),
                worst);
    return worst > 2e-3;
}
