// Functions of the driver, by the runtime's call for them; both are over one device.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

int main() {
    int failed = 0;
    const auto expect = [&](bool holds, const char* what) {
        if (holds) return;
        std::printf("%s\n", what);
        ++failed;
    };
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    expect(cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000, cudaEnableDefault, &found) ==
                   cudaSuccess &&
               found == cudaDriverEntryPointSuccess && function != nullptr,
           "cuMemGetAddressRange is there");
    int* memory = nullptr;
    cudaMalloc(&memory, 400);
    CUdeviceptr base = 0;
    std::size_t size = 0;
    using Range = CUresult(CUdeviceptr*, std::size_t*, CUdeviceptr);
    const auto code = reinterpret_cast<Range*>(function)(&base, &size, reinterpret_cast<CUdeviceptr>(memory) + 8);
    expect(code == CUDA_SUCCESS, "the runtime's context is current");
    expect(base == reinterpret_cast<CUdeviceptr>(memory) && size == 400, "the driver knows the runtime's memory");
    expect(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault, &found) == cudaSuccess &&
               found == cudaDriverEntryPointSymbolNotFound && function == nullptr,
           "what is not there is not found");
    expect(
        cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, cudaEnableDefault, &found) == cudaErrorInvalidValue,
        "no name");
    cudaFree(memory);
    std::printf("%d failed\n", failed);
    return failed == 0 ? 0 : 1;
}
