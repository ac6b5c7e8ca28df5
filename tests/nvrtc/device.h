// The driver, as far as the programs here need it: a context, modules, arrays and launches.
#pragma once

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CU(call)                                                             \
    do {                                                                     \
        const CUresult result = call;                                        \
        if (result != CUDA_SUCCESS) {                                        \
            const char* name = nullptr;                                      \
            cuGetErrorName(result, &name);                                   \
            std::printf("%d: %s: %s\n", __LINE__, #call, name ? name : "?"); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (false)

class Device {
public:
    Device() {
        CU(cuInit(0));
        CU(cuDeviceGet(&device_, 0));
        CU(cuDevicePrimaryCtxRetain(&context_, device_));
        CU(cuCtxSetCurrent(context_));
    }
    ~Device() { cuDevicePrimaryCtxRelease(device_); }

private:
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

template <class T>
class Array {
public:
    explicit Array(const std::vector<T>& values) : size_(values.size()) {
        CU(cuMemAlloc(&at_, size_ * sizeof(T)));
        CU(cuMemcpyHtoD(at_, values.data(), size_ * sizeof(T)));
    }
    ~Array() { cuMemFree(at_); }
    std::vector<T> values() const {
        std::vector<T> copy(size_);
        CU(cuMemcpyDtoH(copy.data(), at_, size_ * sizeof(T)));
        return copy;
    }
    CUdeviceptr at() const { return at_; }

private:
    CUdeviceptr at_ = 0;
    std::size_t size_;
};

inline CUmodule load(const std::string& code) {
    CUmodule module = nullptr;
    CU(cuModuleLoadData(&module, code.data()));
    return module;
}

inline CUfunction function_in(CUmodule module, const std::string& name) {
    CUfunction function = nullptr;
    CU(cuModuleGetFunction(&function, module, name.c_str()));
    return function;
}

template <class... Values>
void launch(CUfunction function, unsigned blocks, unsigned threads, Values... values) {
    void* addresses[] = {&values...};
    CU(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, addresses, nullptr));
    CU(cuCtxSynchronize());
}

inline int failures = 0;

inline void expect(bool holds, const char* what) {
    if (!holds) std::printf("failed: %s\n", what);
    failures += holds ? 0 : 1;
}

// What each program ends with.
inline int verdict() {
    std::printf("%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}
