// Like AkshDesai04/CUDA Fundamentals_ErrorCheck_03_C.cu
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void dummyKernel() {}
static int told = 0;
#define CHECK(call)                                                                                    \
    do {                                                                                               \
        cudaError_t err = (call);                                                                      \
        if (err != cudaSuccess) {                                                                      \
            told++;                                                                                    \
            fprintf(stderr, "CUDA error at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
        }                                                                                              \
    } while (0)
int main(void) {
    dummyKernel<<<1, 2000>>>();
    CHECK(cudaPeekAtLastError());
    CHECK(cudaDeviceSynchronize());
    cudaError_t last = cudaGetLastError();  // since CUDA 13 the second of the two
    bool ok = told >= 1 && (last == cudaErrorInvalidConfiguration || last == cudaErrorInvalidValue) &&
              cudaGetLastError() == cudaSuccess;
    CHECK(cudaDeviceReset());
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
