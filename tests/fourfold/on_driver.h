// What the two files of the runtime over the driver share.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace on_driver {

// The device's primary context and the program's module, made at the first call.
void start();
// The error as the runtime numbers it, kept for cudaGetLastError.
cudaError_t note(CUresult result);
// Of a kernel's function on the host; nothing where the program has no such kernel.
CUfunction function_of(const void* host);
inline CUdeviceptr at(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace on_driver
