// Checks of calls and the choice of a device by the names that NVIDIA's samples use for theirs. Ours, and only what the
// programs here ask for; it models nothing.
#pragma once
#include <cuda_runtime.h>
#include <helper_string.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

template <typename T>
void check(T result, char const* const function, const char* const file, int const line) {
    if (!result) return;
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<unsigned int>(result),
            cudaGetErrorName(static_cast<cudaError_t>(result)), function);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, const int line) {
    const cudaError_t error = cudaGetLastError();
    if (cudaSuccess == error) return;
    fprintf(stderr, "%s(%i) : %s : (%d) %s.\n", file, line, message, static_cast<int>(error),
            cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

inline int findCudaDevice(int argc, const char** argv) {
    int device = checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device=") : 0;
    int count = 0, major = 0, minor = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (device >= count) device = 0;
    checkCudaErrors(cudaSetDevice(device));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    printf("GPU Device %d: compute capability %d.%d\n\n", device, major, minor);
    return device;
}
