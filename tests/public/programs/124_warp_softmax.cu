// Like BBuf/how-to-optim-algorithm-in-cuda cuda-kernels/softmax/oneflow_softmax.cu; flags: -std=c++17
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <math_constants.h>
#include <cmath>
#include <cstdio>
#include <cub/cub.cuh>
constexpr int kWarpSize = 32;
template <typename T>
struct SumOp {
    __device__ __forceinline__ T operator()(const T& a, const T& b) const { return a + b; }
};
template <typename T>
struct MaxOp {
    __device__ __forceinline__ T operator()(const T& a, const T& b) const { return max(a, b); }
};
template <template <typename> class ReductionOp, typename T, int width = kWarpSize>
__inline__ __device__ T WarpAllReduce(T val) {
    for (int mask = width / 2; mask > 0; mask /= 2) val = ReductionOp<T>()(val, __shfl_xor_sync(0xffffffff, val, mask));
    return val;
}
template <template <typename> class ReductionOp, typename T, int block_size>
__inline__ __device__ T BlockAllReduce(T val) {
    typedef cub::BlockReduce<T, block_size> BlockReduce;
    __shared__ typename BlockReduce::TempStorage temp_storage;
    __shared__ T result;
    T got = BlockReduce(temp_storage).Reduce(val, ReductionOp<T>());
    if (threadIdx.x == 0) result = got;
    __syncthreads();
    return result;
}
template <int cols_per_thread>
__global__ void warp_softmax(const float* src, float* dst, int rows, int cols) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float buf[cols_per_thread], top = -CUDART_INF_F, sum = 0;
#pragma unroll
    for (int i = 0; i < cols_per_thread; i++) {
        int c = i * kWarpSize + threadIdx.x;
        buf[i] = c < cols ? src[row * cols + c] : -CUDART_INF_F;
        top = max(top, buf[i]);
    }
    top = WarpAllReduce<MaxOp, float>(top);
#pragma unroll
    for (int i = 0; i < cols_per_thread; i++) sum += buf[i] = __expf(buf[i] - top);
    sum = WarpAllReduce<SumOp, float>(sum);
    for (int i = 0; i < cols_per_thread; i++)
        if (i * kWarpSize + threadIdx.x < cols) dst[row * cols + i * kWarpSize + threadIdx.x] = __fdividef(buf[i], sum);
}
__global__ void block_sum(const float* dst, float* sums, int cols) {
    float s = 0;
    for (int c = threadIdx.x; c < cols; c += 64) s += dst[blockIdx.x * cols + c];
    s = BlockAllReduce<SumOp, float, 64>(s);
    if (threadIdx.x == 1) sums[blockIdx.x] = s;
}
int main() {
    const int rows = 6, cols = 90;
    float h[rows * cols], got[rows * cols], sums[rows], *d, *d2, *d3;
    for (int i = 0; i < rows * cols; i++) h[i] = i % 17 / 4.f;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&d2, sizeof h);
    cudaMalloc(&d3, sizeof sums);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    warp_softmax<3><<<2, dim3(32, 4)>>>(d, d2, rows, cols);
    block_sum<<<rows, 64>>>(d2, d3, cols);
    cudaMemcpy(got, d2, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, d3, sizeof sums, cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int c = 0; c < cols; c++) sum += exp((double)h[r * cols + c]);
        for (int c = 0; c < cols; c++) ok = ok && fabs(exp((double)h[r * cols + c]) / sum - got[r * cols + c]) < 1e-5;
        ok = ok && fabs(sums[r] - 1) < 1e-4;
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d);
    cudaFree(d2);
    cudaFree(d3);
    return !ok;
}
