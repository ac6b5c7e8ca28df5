// Reductions of a warp and of a block by an operation that is a template.
#pragma once
template <typename T>
struct SumOp {
    static __device__ __host__ T init() { return T(0); }
    static __device__ T op(T x, T y) { return x + y; }
};
template <template <class> class Func, typename T>
__device__ __forceinline__ T WarpReduce(T val) {
#pragma unroll
    for (int offset = THREADS_PER_WARP / 2; offset > 0; offset >>= 1)
        val = Func<T>::op(val, __shfl_down_sync(0xffffffff, val, offset));
    return val;
}
template <template <class> class Func, typename T>
__device__ __forceinline__ T BlockReduce(const T& val) {
    __shared__ T parts[32];
    __shared__ T result;
    T sum = WarpReduce<Func, T>(val);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : Func<T>::init();
        sum = WarpReduce<Func, T>(sum);
        if (threadIdx.x == 0) result = sum;
    }
    __syncthreads();
    return result;
}
