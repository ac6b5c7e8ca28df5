// Like zjin-lcf/HeCBench src/softmax-cuda/main.cu; flags: -std=c++14
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
__global__ void softmax(const int rows, const int cols, const float* src, float* dest) {
    namespace cg = cooperative_groups;
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int i = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (i >= rows) return;
    float top = src[i * cols];
    for (int j = warp.thread_rank(); j < cols; j += warp.size()) top = max(top, src[i * cols + j]);
    top = cg::reduce(warp, top, cg::greater<float>{});
    float sum = 0;
    for (int j = warp.thread_rank(); j < cols; j += warp.size()) sum += expf(src[i * cols + j] - top);
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    for (int j = warp.thread_rank(); j < cols; j += warp.size())
        dest[i * cols + j] = expf(src[i * cols + j] - top) / sum;
}
int main() {
    const int rows = 9, cols = 50, n = rows * cols;
    float* in = (float*)aligned_alloc(1024, 2048);
    float *out = (float*)malloc(n * sizeof(float)), *d_in, *d_out;
    srand(2);
    for (int i = 0; i < n; i++) in[i] = rand() % 13;
    cudaMalloc((void**)&d_in, n * sizeof(float));
    cudaMalloc((void**)&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
    softmax<<<dim3(2), dim3(256)>>>(rows, cols, d_in, d_out);
    cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int c = 0; c < cols; c++) sum += exp((double)in[r * cols + c]);
        for (int c = 0; c < cols; c++) ok = ok && fabs(exp((double)in[r * cols + c]) / sum - out[r * cols + c]) < 1e-5;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    free(in);
    free(out);
    cudaFree(d_in);
    cudaFree(d_out);
    return !ok;
}
