// Like zjin-lcf/HeCBench src/rmsnorm-cuda (main.cu, common.h, reduce.cuh, utils.cuh); flags: -std=c++17
#include "common.h"
#include "reduce.cuh"
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T v[N];
};
template <typename T, int UNROLL>
__global__ void rmsnorm(const T* __restrict__ input, const T* __restrict__ gamma, T* output, const int64_t len,
                        const float epsilon) {
    float sum = 0.0f;
    for (int64_t at = threadIdx.x * UNROLL; at < len; at += blockDim.x * UNROLL) {
        Pack<T, UNROLL> pack = *reinterpret_cast<const Pack<T, UNROLL>*>(input + blockIdx.x * len + at);
        for (int i = 0; i < UNROLL; ++i) sum += static_cast<float>(pack.v[i]) * static_cast<float>(pack.v[i]);
    }
    const float scale = rsqrtf(BlockReduce<SumOp, float>(sum) / static_cast<float>(len) + epsilon);
    for (int64_t at = threadIdx.x; at < len; at += blockDim.x)
        output[blockIdx.x * len + at] = input[blockIdx.x * len + at] * scale * gamma[at];
}
int main() {
    const int n = 4, h = 96;
    srand(0);
    float *inp = make_random_float(n * h), *gamma = make_random_float(h), *out = (float*)malloc(n * h * sizeof(float)),
          *d_in, *d_gamma, *d_out;
    cudaCheck(cudaMalloc(&d_in, n * h * sizeof(float)));
    cudaCheck(cudaMalloc(&d_gamma, h * sizeof(float)));
    cudaCheck(cudaMalloc(&d_out, n * h * sizeof(float)));
    cudaCheck(cudaMemcpy(d_in, inp, n * h * sizeof(float), cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(d_gamma, gamma, h * sizeof(float), cudaMemcpyHostToDevice));
    bool ok = true;
    for (int block_size : {32, 64, 256}) {
        auto start = std::chrono::high_resolution_clock::now();
        rmsnorm<float, 4><<<n, block_size>>>(d_in, d_gamma, d_out, h, 1e-5f);
        cudaCheck(cudaDeviceSynchronize());
        std::chrono::duration<float, std::milli> took = std::chrono::high_resolution_clock::now() - start;
        printf("block_size %4d | %s\n", block_size, took.count() > 0 ? "timed" : "-");
        cudaCheck(cudaMemcpy(out, d_out, n * h * sizeof(float), cudaMemcpyDeviceToHost));
        for (int r = 0; r < n; r++) {
            double sum = 0;
            for (int c = 0; c < h; c++) sum += inp[r * h + c] * inp[r * h + c];
            for (int c = 0; c < h; c++)
                ok = ok && std::fabs(out[r * h + c] - inp[r * h + c] * gamma[c] / std::sqrt(sum / h + 1e-5)) < 1e-4;
        }
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    free(inp);
    free(gamma);
    free(out);
    cudaCheck(cudaFree(d_in));
    cudaCheck(cudaFree(d_gamma));
    cudaCheck(cudaFree(d_out));
    return !ok;
}
