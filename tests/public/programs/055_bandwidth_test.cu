// Like NVIDIA/cuda-samples 1_Utilities/bandwidthTest/bandwidthTest.cu; flags: -std=c++14
#include <cuda.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <cassert>
#include <iostream>
#include <memory>
int main(int argc, char** argv) {
    findCudaDevice(argc, (const char**)argv);
    const size_t bytes = 1 << 16;
    unsigned char *pinned, *back, *d, *d2;
    checkCudaErrors(cudaHostAlloc((void**)&pinned, bytes, cudaHostAllocWriteCombined));
    checkCudaErrors(cudaHostAlloc((void**)&back, bytes, 0));
    checkCudaErrors(cudaMalloc((void**)&d, bytes));
    checkCudaErrors(cudaMalloc((void**)&d2, bytes));
    for (size_t i = 0; i < bytes; i++) pinned[i] = (unsigned char)(i & 0xff);
    cudaEvent_t start, stop;
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&stop));
    float up = 0, across = 0;
    checkCudaErrors(cudaEventRecord(start, 0));
    for (int i = 0; i < 3; i++) checkCudaErrors(cudaMemcpyAsync(d, pinned, bytes, cudaMemcpyHostToDevice, 0));
    checkCudaErrors(cudaEventRecord(stop, 0));
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaEventElapsedTime(&up, start, stop));
    checkCudaErrors(cudaEventRecord(start, 0));
    checkCudaErrors(cudaMemcpy(d2, d, bytes, cudaMemcpyDeviceToDevice));
    checkCudaErrors(cudaEventRecord(stop, 0));
    checkCudaErrors(cudaEventSynchronize(stop));
    checkCudaErrors(cudaEventElapsedTime(&across, start, stop));
    checkCudaErrors(cudaMemcpyAsync(back, d2, bytes, cudaMemcpyDeviceToHost, 0));
    checkCudaErrors(cudaStreamSynchronize(0));
    bool ok = memcmp(back, pinned, bytes) == 0 && up > 0 && across > 0;
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, 0));
    assert(prop.major > 0);
    std::cout << prop.name << "\n" << (ok ? "PASS" : "FAIL") << std::endl;
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    checkCudaErrors(cudaFreeHost(pinned));
    checkCudaErrors(cudaFreeHost(back));
    checkCudaErrors(cudaFree(d));
    checkCudaErrors(cudaFree(d2));
    return !ok;
}
