// The runtime's libraries: cudaLibraryLoadData over what NVRTC made, without a word of the driver.
#include <cuda_runtime.h>

#include "compile.h"

#define CUDA(call)                                                                  \
    do {                                                                            \
        const cudaError_t result = call;                                            \
        if (result != cudaSuccess) {                                                \
            std::printf("%d: %s: %s\n", __LINE__, #call, cudaGetErrorName(result)); \
            return 1;                                                               \
        }                                                                           \
    } while (false)

int main() {
    int failed = 0;
    for (const char* arch : {"-arch=compute_80", "-arch=sm_90"}) {
        Request request{R"(
__constant__ float scale;
template <class T> __global__ void scaled(T* x) { x[threadIdx.x] *= scale; }
extern "C" __global__ void other(int*) {}
)"};
        request.options = {arch};
        request.expressions = {"scaled<float>"};
        Compiled made = compile_well(request);
        cudaLibrary_t library = nullptr;
        cudaKernel_t kernel = nullptr, missing = nullptr;
        void* scale = nullptr;
        size_t bytes = 0;
        unsigned count = 0;
        const std::string& code = made.cubin.empty() ? made.ptx : made.cubin;
        CUDA(cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        CUDA(cudaLibraryGetKernel(&kernel, library, made.lowered["scaled<float>"].c_str()));
        CUDA(cudaLibraryGetKernelCount(&count, library));
        CUDA(cudaLibraryGetGlobal(&scale, &bytes, library, "scale"));
        failed += cudaLibraryGetKernel(&missing, library, "missing") != cudaErrorSymbolNotFound;
        cudaGetLastError();
        const float three = 3.0f;
        float values[] = {1, 2, 3, 4};
        float* x = nullptr;
        CUDA(cudaMemcpy(scale, &three, sizeof three, cudaMemcpyHostToDevice));
        CUDA(cudaMalloc(reinterpret_cast<void**>(&x), sizeof values));
        CUDA(cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice));
        void* arguments[] = {&x};
        CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(4), arguments, 0, nullptr));
        CUDA(cudaMemcpy(values, x, sizeof values, cudaMemcpyDeviceToHost));
        failed += count != 2 || bytes != sizeof(float) || values[0] != 3 || values[3] != 12;
        CUDA(cudaFree(x));
        CUDA(cudaLibraryUnload(library));
        failed += cudaLibraryUnload(library) == cudaSuccess;
        cudaGetLastError();
    }
    std::printf("%d failed\n", failed);
    return failed;
}
