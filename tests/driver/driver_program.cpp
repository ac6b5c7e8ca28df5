// One kernel by the driver: the code is in the file that the first argument names.
#include <cuda.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                  \
    do {                                                             \
        const CUresult code = call;                                  \
        if (code != CUDA_SUCCESS) {                                  \
            const char* name = nullptr;                              \
            cuGetErrorName(code, &name);                             \
            std::printf("%s: %s\n", #call, name ? name : "no name"); \
            return 1;                                                \
        }                                                            \
    } while (false)

int main(int, char** arguments) {
    constexpr int n = 5000;
    std::vector<float> a(n, 1.0f), b(n, 2.0f), c(n);
    CUdevice device = 0;
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr x = 0, y = 0, z = 0;
    int count = n;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoad(&module, arguments[1]));
    CHECK(cuModuleGetFunction(&function, module, "add"));
    CHECK(cuMemAlloc(&x, n * sizeof(float)));
    CHECK(cuMemAlloc(&y, n * sizeof(float)));
    CHECK(cuMemAlloc(&z, n * sizeof(float)));
    CHECK(cuMemcpyHtoD(x, a.data(), n * sizeof(float)));
    CHECK(cuMemcpyHtoD(y, b.data(), n * sizeof(float)));
    void* values[] = {&x, &y, &z, &count};
    CHECK(cuLaunchKernel(function, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, values, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(c.data(), z, n * sizeof(float)));
    std::printf("%g %g\n", c[0], c[n - 1]);
    CHECK(cuMemFree(x));
    CHECK(cuMemFree(y));
    CHECK(cuMemFree(z));
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    return c[n - 1] == 3.0f ? 0 : 1;
}
