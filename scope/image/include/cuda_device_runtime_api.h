// The runtime's calls of kernels that launch kernels, so that libraries that could use them compile. Device code that
// comes to one is refused by its name: nothing launches from the device here.
#pragma once

#include "driver_types.h"

#if defined(__CUDA__) && defined(__clang__)
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned shared_bytes,
                                        cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
}
#endif
