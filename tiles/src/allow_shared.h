// A kernel's leave to take more shared memory than every card has. Owns that one call.
#pragma once

#include <cuda_runtime_api.h>

#include "tiles/src/device.h"

namespace tiles {

// Lets `kernel` take so many bytes of dynamic shared memory. A card that has fewer is no error: the kernel's row says
// by supports() that it does not run there, and the others are prepared.
template <class Kernel>
Status allow_shared(Kernel kernel, int bytes) {
    const DeviceProperties* device = nullptr;
    if (Status status = read_device(&device); !status.ok()) return status;
    if (bytes > device->shared_per_block) return {};
    return from_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                     "cudaFuncSetAttribute");
}

}  // namespace tiles
