// Like NVIDIA/cuda-samples 0_Introduction/simpleSeparateCompilation (simpleSeparateCompilation.cu,
// simpleDeviceLibrary.cu); flags: -rdc=true -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <iostream>
#include "device_library.cuh"
using std::cout;
using std::endl;
__device__ deviceFunc dMultiplyByTwoPtr = multiplyByTwo;
__device__ deviceFunc dDivideByTwoPtr = divideByTwo;
__global__ void transformVector(float* v, deviceFunc f, unsigned int size) {
    unsigned int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < size) v[index] = (*f)(v[index]);
}
int main(int argc, char** argv) {
    const unsigned int n = 1000;
    float h[n], *d;
    for (unsigned i = 0; i < n; i++) h[i] = i % 1000;
    checkCudaErrors(cudaMalloc((void**)&d, sizeof h));
    checkCudaErrors(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    deviceFunc f;
    int count = 0;
    checkCudaErrors(cudaMemcpyFromSymbol(&f, dMultiplyByTwoPtr, sizeof(deviceFunc)));
    transformVector<<<dim3(4), dim3(256)>>>(d, f, n);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaMemcpyFromSymbol(&f, dDivideByTwoPtr, sizeof(deviceFunc)));
    transformVector<<<dim3(4), dim3(256)>>>(d, f, n);
    checkCudaErrors(cudaMemcpyFromSymbol(&count, calls, sizeof count));
    checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    bool ok = count == 2 * (int)n;
    for (unsigned i = 0; i < n; i++) ok = ok && h[i] == i % 1000;
    cout << (ok ? "PASS" : "FAIL") << endl;
    checkCudaErrors(cudaFree(d));
    return !ok;
}
