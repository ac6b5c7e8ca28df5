// The primary context, which the runtime's first call makes current, as the driver sees it; and contexts made as CUDA
// 13 makes them.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>

static int failed = 0;
static void expect(bool holds, const char* what) {
    if (holds) return;
    std::printf("FAIL %s\n", what);
    ++failed;
}

static CUcontext current() {
    CUcontext context = nullptr;
    expect(cuCtxGetCurrent(&context) == CUDA_SUCCESS, "the driver is initialized");
    return context;
}

int main() {
    void* memory = nullptr;
    expect(cudaMalloc(&memory, 64) == cudaSuccess, "the runtime's first call");
    const CUcontext primary = current();
    expect(primary != nullptr, "the primary context is current");
    CUcontext retained = nullptr;
    expect(cuDevicePrimaryCtxRetain(&retained, 0) == CUDA_SUCCESS && retained == primary, "it is the primary one");
    expect(cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS, "it is released");
    CUdeviceptr address = 0;
    expect(cuMemAlloc(&address, 64) == CUDA_SUCCESS, "the runtime still holds it");

    std::thread([&] {
        expect(current() == nullptr, "no context is current on a thread that never called the runtime");
        expect(cuMemAlloc(&address, 64) == CUDA_ERROR_INVALID_CONTEXT, "without one nothing is allocated");
        expect(cuCtxSetCurrent(primary) == CUDA_SUCCESS && cuMemAlloc(&address, 64) == CUDA_SUCCESS,
               "the primary context is active for all threads");
    }).join();

    expect(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS && current() == nullptr, "the driver takes it away");
    expect(cudaFree(memory) == cudaSuccess && current() == primary, "the runtime's next call brings it back");
    CUcontext popped = nullptr;
    expect(cuCtxPopCurrent(&popped) == CUDA_SUCCESS && popped == primary && current() == nullptr, "it can be popped");

    CUctxCreateParams parameters{};
    CUcontext made = nullptr;
    expect(cuCtxCreate_v4(&made, &parameters, 0, 0) == CUDA_SUCCESS && current() == made, "zeroed parameters");
    expect(cuCtxDestroy(made) == CUDA_SUCCESS, "the context is destroyed");
    CUctxCigParam graphics{};
    parameters.cigParams = &graphics;
    expect(cuCtxCreate_v4(&made, &parameters, 0, 0) == CUDA_ERROR_NOT_SUPPORTED, "sharing with graphics");
    if (failed == 0) std::puts("PASS contexts of runtime and driver");
    return failed;
}
