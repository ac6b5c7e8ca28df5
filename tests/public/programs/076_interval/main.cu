// Like NVIDIA/cuda-samples 2_Concepts_and_Techniques/interval (interval.cu, cuda_interval.h, cuda_interval_lib.h);
// flags: -std=c++14
#include <helper_cuda.h>
#include <stdio.h>
#include <iostream>
#include "interval_lib.h"
template <class T>
__global__ void evaluate(interval_gpu<T>* out, int n) {
    extern __shared__ char memory[];
    interval_gpu<T> x((T)threadIdx.x / 7, (T)threadIdx.x / 7), sum(0, 0);
    for (int i = 0; i < n; i++) sum = sum * x + interval_gpu<T>((T)1 / 3, (T)1 / 3);
    out[threadIdx.x] = sum;
}
template <class T>
bool test() {
    interval_gpu<T>* d;
    interval_gpu<T> h[8];
    checkCudaErrors(cudaMalloc((void**)&d, sizeof h));
    checkCudaErrors(cudaFuncSetCacheConfig(evaluate<T>, cudaFuncCachePreferL1));
    evaluate<T><<<1, 8, 64>>>(d, 5);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int t = 0; t < 8; t++) {
        long double x = (T)t / 7, sum = 0;
        for (int i = 0; i < 5; i++) sum = sum * x + (T)1 / 3;
        ok = ok && h[t].lower() <= sum && sum <= h[t].upper() && h[t].upper() - h[t].lower() < 1e-5;
    }
    checkCudaErrors(cudaFree(d));
    return ok;
}
int main() {
    bool ok = test<float>() && test<double>();
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    return !ok;
}
