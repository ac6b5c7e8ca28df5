// Calls with arguments that make no sense, and what the driver answers by its documentation. Argument: code as PTX.
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

static int failed = 0, tried = 0;

static void want(CUresult found, CUresult wanted, const char* what) {
    ++tried;
    if (found == wanted) return;
    std::printf("%s: %d, not %d\n", what, static_cast<int>(found), static_cast<int>(wanted));
    ++failed;
}
#define WANT(code, call) want((call), CUDA_##code, #call)
#define INVALID(call) WANT(ERROR_INVALID_VALUE, call)
#define NO_HANDLE(call) WANT(ERROR_INVALID_HANDLE, call)

int main(int, char** arguments) {
    std::ifstream file(arguments[1], std::ios::binary);
    const std::string ptx{std::istreambuf_iterator<char>(file), {}};
    CUdeviceptr memory = 0, other = 0;
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUstream stream = nullptr;
    CUevent event = nullptr;
    int value = 0;
    size_t bytes = 0;
    float milliseconds = 0;
    char text[8];
    unsigned char host[64] = {};
    const size_t huge = SIZE_MAX;

    WANT(ERROR_NOT_INITIALIZED, cuDeviceGet(&value, 0));
    WANT(ERROR_NOT_INITIALIZED, cuMemAlloc(&memory, 4));
    INVALID(cuInit(7));
    WANT(SUCCESS, cuInit(0));
    INVALID(cuDriverGetVersion(nullptr));
    INVALID(cuDeviceGetCount(nullptr));
    WANT(ERROR_INVALID_DEVICE, cuDeviceGet(&value, 1));
    WANT(ERROR_INVALID_DEVICE, cuDeviceGet(&value, -1));
    INVALID(cuDeviceGet(nullptr, 0));
    INVALID(cuDeviceGetName(nullptr, 8, 0));
    INVALID(cuDeviceGetName(text, 0, 0));
    WANT(ERROR_INVALID_DEVICE, cuDeviceTotalMem(&bytes, 9));
    INVALID(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0));
    INVALID(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(5000), 0));
    WANT(ERROR_INVALID_CONTEXT, cuMemAlloc(&memory, 4));
    WANT(ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    WANT(ERROR_INVALID_CONTEXT, cuCtxPopCurrent(nullptr));
    WANT(ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
    INVALID(cuCtxPushCurrent(nullptr));
    WANT(ERROR_INVALID_CONTEXT, cuCtxSetCurrent(reinterpret_cast<CUcontext>(host)));
    WANT(ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&context, 3));
    INVALID(cuDevicePrimaryCtxRetain(nullptr, 0));
    WANT(SUCCESS, cuDevicePrimaryCtxRetain(&context, 0));
    WANT(SUCCESS, cuCtxSetCurrent(context));

    INVALID(cuMemAlloc(nullptr, 4));
    INVALID(cuMemAlloc(&memory, 0));
    WANT(ERROR_OUT_OF_MEMORY, cuMemAlloc(&memory, huge / 2));
    WANT(SUCCESS, cuMemAlloc(&memory, 64));
    WANT(SUCCESS, cuMemAlloc(&other, 64));
    INVALID(cuMemFree(memory + 4));
    INVALID(cuMemFree(reinterpret_cast<CUdeviceptr>(host)));
    INVALID(cuMemAllocPitch(&other, nullptr, 4, 4, 4));
    INVALID(cuMemAllocManaged(&other, 4, 9));
    INVALID(cuMemHostRegister(nullptr, 4, 0));
    WANT(ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(host));
    INVALID(cuMemcpyHtoD(memory, host, 65));
    INVALID(cuMemcpyHtoD(memory, nullptr, 4));
    INVALID(cuMemcpyHtoD(0, host, 4));
    INVALID(cuMemcpyDtoH(host, memory, huge));
    INVALID(cuMemcpyDtoD(memory, 16, 4));
    INVALID(cuMemcpy2D(nullptr));
    INVALID(cuMemsetD32(memory + 2, 0, 1));
    INVALID(cuMemsetD8(memory, 0, 65));
    INVALID(cuMemsetD32(memory, 0, huge));
    WANT(ERROR_NOT_FOUND, cuMemGetAddressRange(&other, &bytes, 16));
    INVALID(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 16));
    INVALID(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));

    INVALID(cuModuleLoadData(nullptr, ptx.c_str()));
    INVALID(cuModuleLoadData(&module, nullptr));
    WANT(ERROR_INVALID_IMAGE, cuModuleLoadData(&module, ""));
    WANT(ERROR_INVALID_IMAGE, cuModuleLoadData(&module, "no code at all"));
    WANT(ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/nowhere/at/all.ptx"));
    NO_HANDLE(cuModuleGetFunction(&function, reinterpret_cast<CUmodule>(host), "add"));
    WANT(SUCCESS, cuModuleLoadData(&module, ptx.c_str()));
    WANT(ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "nothing"));
    INVALID(cuModuleGetFunction(&function, module, nullptr));
    WANT(ERROR_NOT_FOUND, cuModuleGetGlobal(&other, &bytes, module, "nothing"));
    WANT(SUCCESS, cuModuleGetFunction(&function, module, "add"));
    void* none[] = {nullptr, nullptr, nullptr, nullptr};
    NO_HANDLE(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, none, nullptr));
    NO_HANDLE(cuLaunchKernel(reinterpret_cast<CUfunction>(host), 1, 1, 1, 1, 1, 1, 0, nullptr, none, nullptr));
    INVALID(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, none, nullptr));
    INVALID(cuLaunchKernel(function, 1, 1, 1, 2000, 1, 1, 0, nullptr, none, nullptr));
    INVALID(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    INVALID(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 1u << 30, nullptr, none, nullptr));
    INVALID(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
    INVALID(cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(99), function));
    INVALID(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30));

    NO_HANDLE(cuStreamSynchronize(reinterpret_cast<CUstream>(host)));
    INVALID(cuStreamCreate(nullptr, 0));
    INVALID(cuStreamCreate(&stream, 77));
    WANT(SUCCESS, cuStreamCreate(&stream, 0));
    WANT(SUCCESS, cuStreamDestroy(stream));
    NO_HANDLE(cuStreamDestroy(stream));
    INVALID(cuLaunchHostFunc(nullptr, nullptr, nullptr));
    INVALID(cuEventCreate(nullptr, 0));
    WANT(SUCCESS, cuEventCreate(&event, 0));
    NO_HANDLE(cuEventElapsedTime(nullptr, event, event));
    NO_HANDLE(cuEventElapsedTime(&milliseconds, event, event));  // neither is recorded
    WANT(SUCCESS, cuEventDestroy(event));
    NO_HANDLE(cuEventRecord(event, nullptr));
    INVALID(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
    WANT(SUCCESS, cuModuleUnload(module));
    NO_HANDLE(cuModuleUnload(module));
    NO_HANDLE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, none, nullptr));
    INVALID(cuMemAddressFree(0, 0));
    WANT(SUCCESS, cuMemFree(memory));
    INVALID(cuMemFree(memory));
    std::printf("%d tried, %d failed\n", tried, failed);
    return failed == 0 ? 0 : 1;
}
