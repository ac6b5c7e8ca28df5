// Loads PTX for Hopper, and PTX for sm_80 where that fails. The numbers of the first line are an H200's (CUDA 13.0).
#include <cuda.h>

#include <cstdio>

#define HEAD(version, target) ".version " version "\n.target " target "\n.address_size 64\n"
#define KERNEL(body)                                                                                        \
    ".visible .entry answer(.param .u64 p) {\n.reg .b32 %r<4>;\n.reg .b64 %d<4>;\nld.param.u64 %d1, [p];\n" \
    "cvta.to.global.u64 %d1, %d1;\n" body "red.global.max.u32 [%d1], %r1;\nret;\n}\n"

static const char* const kHopper = HEAD("8.0", "sm_90a") KERNEL("wgmma.fence.sync.aligned;\nmov.u32 %r1, 90;\n");
static const char* const kAmpere = HEAD("7.0", "sm_80") KERNEL("redux.sync.add.s32 %r1, 1, 0xffffffff;\n");
static const char* const kOldVersion = HEAD("6.0", "sm_70") KERNEL("redux.sync.add.s32 %r1, 1, 0xffffffff;\n");
static const char* const kOldTarget = HEAD("7.0", "sm_75") KERNEL("redux.sync.add.s32 %r1, 1, 0xffffffff;\n");
static const char* const kDropped = HEAD("6.4", "sm_70") KERNEL("shfl.idx.b32 %r1, %r1, 0, 31;\n");
static const char* const kNewTarget = HEAD("8.6", "sm_100") KERNEL("mov.u32 %r1, 1;\n");
static const char* const kNewRelease = HEAD("9.9", "sm_80") KERNEL("mov.u32 %r1, 1;\n");

static int load(const char* text, CUmodule* module) { return cuModuleLoadData(module, text); }

int main() {
    CUmodule module;
    cudaFree(nullptr);
    printf("version %d, target %d, dropped %d, newer target %d, newer release %d\n", load(kOldVersion, &module),
           load(kOldTarget, &module), load(kDropped, &module), load(kNewTarget, &module), load(kNewRelease, &module));
    const int hopper = load(kHopper, &module);
    if (hopper != 0 && load(kAmpere, &module) != 0) return 1;
    CUfunction answer;
    if (cuModuleGetFunction(&answer, module, "answer") != CUDA_SUCCESS) return 2;
    unsigned* result;
    cudaMalloc(&result, sizeof *result);
    cudaMemset(result, 0, sizeof *result);
    void* arguments[] = {&result};
    if (cuLaunchKernel(answer, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS) return 3;
    unsigned value = 0;
    if (cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) return 4;
    printf("hopper %d, answer %u\n", hopper, value);
    return value == (hopper == 0 ? 90u : 32u) ? 0 : 5;
}
