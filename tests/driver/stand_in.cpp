// A program with functions of the runtime's names that are its own, over the driver: as libraries have that stand in
// for the runtime. They must not be taken for NVIDIA's.
#include <cuda.h>

#include <cstdio>

extern "C" int cudaMalloc(void** out, unsigned long bytes) {
    std::printf("own cudaMalloc of %lu bytes\n", bytes);
    return cuMemAlloc(reinterpret_cast<CUdeviceptr*>(out), bytes);
}
extern "C" void** __cudaRegisterFatBinary(void*) { return nullptr; }

int main() {
    CUdevice device = 0;
    CUcontext context = nullptr;
    void* memory = nullptr;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 1;
    if (cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS)
        return 2;
    return cudaMalloc(&memory, 64) == 0 && memory != nullptr && __cudaRegisterFatBinary(nullptr) == nullptr ? 0 : 3;
}
