// Like NVIDIA/cuda-samples 0_Introduction/simpleTemplates (simpleTemplates.cu, sharedmem.cuh); flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <math.h>
#include <stdio.h>
#include "sharedmem.cuh"
template <class T>
__global__ void testKernel(T* in, T* out) {
    SharedMemory<T> smem;
    T* sdata = smem.getPointer();
    const unsigned int tid = threadIdx.x;
    sdata[tid] = in[tid];
    __syncthreads();
    out[tid] = (T)blockDim.x * sdata[blockDim.x - 1 - tid];
}
template <class T>
class ArrayComparator {
public:
    bool compare(const T* a, T* b, unsigned int n) {
        for (unsigned i = 0; i < n; i++)
            if (a[i] != b[i]) return false;
        return true;
    }
};
template <class T>
bool runTest(int argc, char** argv, int n) {
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, findCudaDevice(argc, (const char**)argv)));
    T *h = (T*)malloc(n * sizeof(T)), *want = (T*)malloc(n * sizeof(T)), *got = (T*)malloc(n * sizeof(T)), *d, *d2;
    for (int i = 0; i < n; i++) h[i] = (T)i, want[n - 1 - i] = (T)n * (T)i;
    checkCudaErrors(cudaMalloc((void**)&d, n * sizeof(T)));
    checkCudaErrors(cudaMalloc((void**)&d2, n * sizeof(T)));
    checkCudaErrors(cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice));
    testKernel<T><<<dim3(1, 1, 1), dim3(n, 1, 1), n * sizeof(T)>>>(d, d2);
    getLastCudaError("Kernel execution failed");
    checkCudaErrors(cudaMemcpy(got, d2, n * sizeof(T), cudaMemcpyDeviceToHost));
    ArrayComparator<T> comparator;
    bool ok = comparator.compare(want, got, n);
    free(h);
    free(want);
    free(got);
    cudaFree(d);
    cudaFree(d2);
    return ok;
}
int main(int argc, char** argv) {
    bool ok = runTest<float>(argc, argv, 32) && runTest<int>(argc, argv, 64) && runTest<double>(argc, argv, 48);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
