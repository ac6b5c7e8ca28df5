// Like BBuf/how-to-optim-algorithm-in-cuda FastAtomicAdd/atomic_add_half_pack2.cu
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <time.h>
#include <algorithm>
#include <iostream>
using namespace std;
#define N 1024
#define kBlockSize 128
template <typename T, size_t pack_size>
struct alignas(sizeof(T) * pack_size) Pack {
    T elem[pack_size];
};
template <typename T, int32_t pack_size>
__device__ __inline__ void AtomicAdd(Pack<T, pack_size>* address, T val) {
#pragma unroll
    for (int i = 0; i < pack_size; ++i) atomicAdd(reinterpret_cast<T*>(address) + i, static_cast<T>(val));
}
template <>
__device__ __inline__ void AtomicAdd<half, 2>(Pack<half, 2>* address, half val) {
    half2 h2_val;
    h2_val.x = static_cast<half>(val);
    h2_val.y = static_cast<half>(val);
    atomicAdd(reinterpret_cast<half2*>(address), h2_val);
}
template <typename T, int32_t pack_size>
__global__ void dot(Pack<T, pack_size>* a, Pack<T, pack_size>* b, Pack<T, pack_size>* c, int n) {
    T temp = 0.0;
    for (int gid = blockIdx.x * blockDim.x + threadIdx.x; gid < n / pack_size; gid += gridDim.x * blockDim.x)
        for (int i = 0; i < pack_size; i++) temp = temp + a[gid].elem[i] * b[gid].elem[i];
    AtomicAdd<T, pack_size>(c, temp);
}
int main() {
    half *h = (half*)malloc(N * sizeof(half)), *x, *y, *out, sum[2];
    for (int i = 0; i < N; i++) h[i] = 1.0;
    cudaMalloc((void**)&x, N * sizeof(half));
    cudaMalloc((void**)&y, N * sizeof(half));
    cudaMalloc((void**)&out, 2 * sizeof(half));
    cudaMemcpy(x, h, N * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(y, h, N * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(half) * 2);
    dot<half, 2><<<dim3(4, 1), dim3(kBlockSize, 1)>>>(reinterpret_cast<Pack<half, 2>*>(x),
                                                      reinterpret_cast<Pack<half, 2>*>(y),
                                                      reinterpret_cast<Pack<half, 2>*>(out), N);
    cudaMemcpy(sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    bool ok = static_cast<float>(sum[0]) == N && static_cast<float>(sum[1]) == N;
    cout << static_cast<float>(sum[0]) << endl << (ok ? "PASS" : "FAIL") << endl;
    free(h);
    cudaFree(x);
    cudaFree(y);
    cudaFree(out);
    return !ok;
}
