// Like AkshDesai04/CUDA Advanced_ModernFeatures_05_C.cu
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#define CUDA_CHECK(call)                                                                               \
    do {                                                                                               \
        cudaError_t err = (call);                                                                      \
        if (err != cudaSuccess) {                                                                      \
            fprintf(stderr, "CUDA error at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
            exit(EXIT_FAILURE);                                                                        \
        }                                                                                              \
    } while (0)
__global__ void fill(float* d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d[i] = static_cast<float>(i);
}
__global__ void sum(const float* d, int n, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, static_cast<double>(d[i]));
}
int main(int argc, char** argv) {
    float* d = nullptr;
    CUDA_CHECK(cudaMalloc(&d, 1024 * sizeof(float)));
    fill<<<4, 256>>>(d, 1024);
    CUDA_CHECK(cudaDeviceSynchronize());
    cudaIpcMemHandle_t handle;
    CUDA_CHECK(cudaIpcGetMemHandle(&handle, d));
    std::ofstream ofs("/dev/null", std::ios::binary);
    ofs.write(reinterpret_cast<const char*>(&handle), sizeof(handle));
    if (argc > 1 && std::string(argv[1]) == "client") {
        float* other = nullptr;
        double* out;
        CUDA_CHECK(cudaIpcOpenMemHandle((void**)&other, handle, cudaIpcMemLazyEnablePeerAccess));
        CUDA_CHECK(cudaMalloc(&out, sizeof(double)));
        CUDA_CHECK(cudaMemset(out, 0, sizeof(double)));
        sum<<<4, 256>>>(other, 1024, out);
        CUDA_CHECK(cudaIpcCloseMemHandle(other));
    }
    CUDA_CHECK(cudaFree(d));
    std::cout << "PASS" << std::endl;
    return EXIT_SUCCESS;
}
