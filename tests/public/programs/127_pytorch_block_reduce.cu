// Like BBuf/how-to-optim-algorithm-in-cuda cuda-kernels/reduce/pytorch_block_reduce.cu
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <time.h>
#define C10_WARP_SIZE 32
template <typename T>
__device__ __forceinline__ T WARP_SHFL_DOWN(T value, unsigned int delta, int width = warpSize,
                                            unsigned int mask = 0xffffffff) {
    return __shfl_down_sync(mask, value, delta, width);
}
template <typename T>
__inline__ __device__ T WarpReduceSum(T val) {
#pragma unroll
    for (int offset = (C10_WARP_SIZE >> 1); offset > 0; offset >>= 1) val += WARP_SHFL_DOWN(val, offset);
    return val;
}
struct Block1D {
    static __forceinline__ __device__ int Tid() { return threadIdx.x; }
    static __forceinline__ __device__ int Warps() { return blockDim.x / C10_WARP_SIZE; }
};
struct Block2D {
    static __forceinline__ __device__ int Tid() { return threadIdx.x + threadIdx.y * blockDim.x; }
    static __forceinline__ __device__ int Warps() { return blockDim.x * blockDim.y / C10_WARP_SIZE; }
};
template <typename T, typename B = Block1D>
__inline__ __device__ T BlockReduceSum(T val, T* shared) {
    const int tid = B::Tid(), lid = tid % C10_WARP_SIZE, wid = tid / C10_WARP_SIZE;
    val = WarpReduceSum(val);
    __syncthreads();
    if (lid == 0) shared[wid] = val;
    __syncthreads();
    val = (tid < B::Warps()) ? shared[lid] : T(0);
    if (wid == 0) val = WarpReduceSum(val);
    return val;
}
template <typename B>
__global__ void sum(const double* in, double* out) {
    __shared__ double shared[32];
    double total = BlockReduceSum<double, B>(in[B::Tid()], shared);
    if (B::Tid() == 0) *out = total;
}
int main() {
    double h[256], want = 0, got[2], *d, *d_out;
    for (int i = 0; i < 256; i++) want += h[i] = i * 0.5;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&d_out, sizeof got);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    sum<Block1D><<<1, 256>>>(d, d_out);
    sum<Block2D><<<1, dim3(16, 16)>>>(d, d_out + 1);
    cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost);
    bool ok = got[0] == want && got[1] == want;
    printf("%s\n", ok ? "PASS" : "FAIL");
    cudaFree(d);
    cudaFree(d_out);
    return !ok;
}
