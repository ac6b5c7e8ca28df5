// Like NVIDIA/cuda-samples 0_Introduction/simpleZeroCopy/simpleZeroCopy.cu; flags: -std=c++14
#include <assert.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#define MEMORY_ALIGNMENT 4096
#define ALIGN_UP(x, size) (((size_t)x + (size - 1)) & (~(size - 1)))
__global__ void vectorAddGPU(float* a, float* b, float* c, int N) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) c[idx] = a[idx] + b[idx];
}
int main(int argc, char** argv) {
    const int n = 2048;
    const size_t bytes = n * sizeof(float);
    cudaDeviceProp prop;
    checkCudaErrors(cudaSetDevice(0));
    checkCudaErrors(cudaGetDeviceProperties(&prop, 0));
    if (!prop.canMapHostMemory) exit(EXIT_SUCCESS);
    bool ok = true;
    for (int generic = 0; generic < 2; generic++) {
        float *p[3], *d[3];
        void* raw[3];
        for (int k = 0; k < 3; k++) {
            if (generic) {
                raw[k] = malloc(bytes + MEMORY_ALIGNMENT);
                p[k] = (float*)ALIGN_UP(raw[k], MEMORY_ALIGNMENT);
                checkCudaErrors(cudaHostRegister(p[k], bytes, cudaHostRegisterMapped));
            } else {
                checkCudaErrors(cudaHostAlloc((void**)&p[k], bytes, cudaHostAllocMapped));
            }
            for (int i = 0; i < n; i++) p[k][i] = rand() / (float)RAND_MAX;
            checkCudaErrors(cudaHostGetDevicePointer((void**)&d[k], (void*)p[k], 0));
        }
        vectorAddGPU<<<dim3((unsigned)ceil(n / 256.f)), dim3(256)>>>(d[0], d[1], d[2], n);
        checkCudaErrors(cudaDeviceSynchronize());
        getLastCudaError("vectorAddGPU() execution failed");
        for (int i = 0; i < n; i++) ok = ok && p[0][i] + p[1][i] == p[2][i];
        for (int k = 0; k < 3; k++) {
            if (generic) {
                checkCudaErrors(cudaHostUnregister(p[k]));
                free(raw[k]);
            } else
                checkCudaErrors(cudaFreeHost(p[k]));
        }
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
