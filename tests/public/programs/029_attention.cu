// Like zjin-lcf/HeCBench src/attention-cuda (main.cu, kernels.h, reference.h); flags: -std=c++14
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <chrono>
#include <random>
namespace cg = cooperative_groups;
__global__ void scores(const float* __restrict__ key, const float* __restrict__ query, float* __restrict__ dot,
                       float* __restrict__ total, int n, int d) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int i = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (i >= n) return;
    float sum = 0;
    for (int j = warp.thread_rank(); j < d; j += warp.size()) sum += key[i * d + j] * query[j];
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    if (warp.thread_rank() == 0) {
        dot[i] = sum;
        atomicAdd(total, expf(sum));
    }
}
__global__ void mix(const float* total, const float* dot, const float* value, float* out, int n, int d) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= d) return;
    float sum = 0;
    for (int i = 0; i < n; i++) sum += expf(dot[i]) / *total * value[i * d + j];
    out[j] = sum;
}
int main() {
    const int n = 50, d = 64;
    std::mt19937 gen(19937);
    std::uniform_real_distribution<float> dist(-0.1f, 0.1f);
    float key[n * d], value[n * d], query[d], out[d], *dk, *dv, *dq, *ddot, *dsum, *dout;
    for (int i = 0; i < n * d; i++) key[i] = dist(gen), value[i] = dist(gen), query[i % d] = dist(gen);
    cudaMalloc((void**)&dk, sizeof key);
    cudaMalloc((void**)&dv, sizeof value);
    cudaMalloc((void**)&dq, sizeof query);
    cudaMalloc((void**)&ddot, n * sizeof(float));
    cudaMalloc((void**)&dsum, sizeof(float));
    cudaMalloc((void**)&dout, sizeof out);
    cudaMemcpy(dk, key, sizeof key, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, value, sizeof value, cudaMemcpyHostToDevice);
    cudaMemcpy(dq, query, sizeof query, cudaMemcpyHostToDevice);
    cudaMemset(dsum, 0, 4);
    scores<<<(n + 7) / 8, 256>>>(dk, dq, ddot, dsum, n, d);
    mix<<<(d + 255) / 256, 256>>>(dsum, ddot, dv, dout, n, d);
    cudaDeviceSynchronize();
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    double e[n], sum = 0;
    for (int i = 0; i < n; i++) {
        double dot = 0;
        for (int j = 0; j < d; j++) dot += key[i * d + j] * query[j];
        sum += e[i] = exp(dot);
    }
    bool ok = true;
    for (int j = 0; j < d; j++) {
        double want = 0;
        for (int i = 0; i < n; i++) want += e[i] / sum * value[i * d + j];
        ok = ok && fabs(want - out[j]) < 1e-4;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (float* p : {dk, dv, dq, ddot, dsum, dout}) cudaFree(p);
    return !ok;
}
