#define _REDUCE_KERNEL_H_
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>
#include "reduction.h"
namespace cg = cooperative_groups;
template <class T>
struct SharedMemory {
    __device__ inline operator T*() {
        extern __shared__ int __smem[];
        return (T*)__smem;
    }
};
template <>
struct SharedMemory<double> {
    __device__ inline operator double*() {
        extern __shared__ double __smem_d[];
        return (double*)__smem_d;
    }
};
bool isPow2(unsigned int x) { return ((x & (x - 1)) == 0); }
template <class T>
__global__ void reduce0(T* g_idata, T* g_odata, unsigned int n) {
    cg::thread_block cta = cg::this_thread_block();
    T* sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    cg::sync(cta);
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if ((tid % (2 * s)) == 0) sdata[tid] += sdata[tid + s];
        cg::sync(cta);
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
template <typename T, unsigned int blockSize>
__global__ void reduce1(const T* __restrict__ g_idata, T* __restrict__ g_odata, unsigned int n) {
    T* sdata = SharedMemory<T>();
    cg::thread_block cta = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
    T sum = 0;
    for (unsigned int i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x) sum += g_idata[i];
    sum = cg::reduce(tile, sum, cg::plus<T>());
    if (tile.thread_rank() == 0) sdata[tile.meta_group_rank()] = sum;
    cta.sync();
    if (threadIdx.x == 0) {
        for (unsigned int w = 1; w < tile.meta_group_size(); w++) sum += sdata[w];
        g_odata[blockIdx.x] = sum;
    }
}
template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T* d_idata, T* d_odata) {
    int smemSize = threads <= 32 ? 2 * threads * sizeof(T) : threads * sizeof(T);
    switch (whichKernel) {
        case 0: reduce0<T><<<dim3(blocks, 1, 1), dim3(threads, 1, 1), smemSize>>>(d_idata, d_odata, size); break;
        default: reduce1<T, 128><<<dim3(blocks, 1, 1), dim3(128, 1, 1), smemSize>>>(d_idata, d_odata, size); break;
    }
}
template void reduce<int>(int size, int threads, int blocks, int whichKernel, int* d_idata, int* d_odata);
template void reduce<double>(int size, int threads, int blocks, int whichKernel, double* d_idata, double* d_odata);
