// What each CUDA call returns in ordinary and in wrong use, as lines "key value". The same lines come from a GPU and
// from tilescope; tests/runtime/programs/semantics.expected holds what an H200 with CUDA 13.0 printed. Usage: semantics
// copies | launches | configurations | edges | handles | device, or semantics fault KIND The text of every call is part
// of what is compared, so its layout stays as the hardware's run had it.
// clang-format off
#include "semantics_device.h"
#include "semantics_memory.h"
#include "semantics_say.h"

static void launches() {
    int* d = nullptr;
    int h[64] = {};
    SAY(cudaMalloc(&d, 4096));
    LAUNCH(store<<<1, 32>>>(d, 4));
    LAUNCH(store<<<0, 32>>>(d, 4));
    LAUNCH(store<<<1, 0>>>(d, 4));
    LAUNCH(store<<<1, 1025>>>(d, 4));
    LAUNCH(store<<<1, dim3(1, 1, 65)>>>(d, 4));
    LAUNCH(store<<<1, dim3(32, 33, 1)>>>(d, 4));
    LAUNCH(store<<<dim3(1, 65536), 1>>>(d, 4));
    LAUNCH(store<<<dim3(1, 1, 65536), 1>>>(d, 4));
    LAUNCH(store<<<dim3(2147483648u), 1>>>(d, 4));
    LAUNCH(small_blocks<<<1, 65>>>(d));
    LAUNCH(dynamic<<<1, 32, 49152>>>(d));
    LAUNCH(dynamic<<<1, 32, 49153>>>(d));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    LAUNCH(dynamic<<<1, 32, 232448>>>(d));
    LAUNCH(dynamic<<<1, 32, 232449>>>(d));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    SAY(cudaFuncSetAttribute(dynamic, static_cast<cudaFuncAttribute>(99), 1));
    SAY(cudaFuncSetAttribute(static_cast<const void*>(h), cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    SAY(cudaLaunchKernel(static_cast<const void*>(h), dim3(1), dim3(1), nullptr, 0, 0));
    SAY(cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), nullptr, 0, 0));
    SAY(cudaMemcpyToSymbol(table, h, 32));
    LAUNCH(copy_table<<<1, 8>>>(d));
    SAY(cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost));
    std::printf("copy_table %d\n", h[3]);
    cudaFuncAttributes attributes;
    SAY(cudaFuncGetAttributes(&attributes, small_blocks));
    std::printf("small_blocks max threads %d ptx %d binary %d dynamic %d carveout %d const %d\n", attributes.maxThreadsPerBlock,
                attributes.ptxVersion, attributes.binaryVersion, attributes.maxDynamicSharedSizeBytes,
                attributes.preferredShmemCarveout, int(attributes.constSizeBytes));
    SAY(cudaFuncGetAttributes(&attributes, static_cast<const void*>(h)));
    SAY(cudaFuncGetAttributes(nullptr, small_blocks));
    SAY(cudaFuncGetAttributes(&attributes, dynamic));
    std::printf("dynamic: dynamic %d carveout %d\n", attributes.maxDynamicSharedSizeBytes, attributes.preferredShmemCarveout);
    int blocks = 0, least = 0, greatest = 0;
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 0));
    std::printf("blocks of store %d\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 256, 60000));
    std::printf("blocks of dynamic %d\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 0, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 1025, 0));
    std::printf("blocks of 1025 %d\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 300000));
    std::printf("blocks with too much shared %d\n", blocks);
    size_t available = 0;
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&available, store, 2, 256));
    std::printf("available for 2 blocks %zu\n", available);
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&available, dynamic, 2, 256));
    std::printf("available for 2 dynamic blocks %zu\n", available);
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&available, store, 20, 256));
    std::printf("available for 20 blocks %zu\n", available);
    SAY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    std::printf("priorities %d %d\n", least, greatest);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    SAY(cudaLaunchKernelEx(&config, store, d, 6));
    SAY(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
    std::printf("stored %d\n", h[0]);
    const char* name = nullptr;
    SAY(cudaFuncGetName(&name, reinterpret_cast<const void*>(store)));
    std::printf("name %s\n", name ? name : "-");
    cudaKernel_t kernel = nullptr;
    SAY(cudaGetKernel(&kernel, reinterpret_cast<const void*>(store)));
    SAY(cudaGetKernel(&kernel, static_cast<const void*>(h)));
    size_t offset = 0, size = 0;
    SAY(cudaFuncGetParamInfo(reinterpret_cast<const void*>(store), 1, &offset, &size));
    std::printf("parameter 1 at %zu size %zu\n", offset, size);
    SAY(cudaFuncGetParamInfo(reinterpret_cast<const void*>(store), 2, &offset, &size));
    SAY(cudaDeviceSynchronize());
}

__global__ void with_static(int* p) {
    __shared__ int buffer[1024];
    buffer[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = buffer[threadIdx.x ^ 1];
}
// More than 64 registers a thread: 1024 threads do not fit.
__global__ void many_registers(double* p) {
    double value[60];
#pragma unroll
    for (int i = 0; i < 60; ++i) value[i] = p[i * 32];
#pragma unroll 1
    for (int n = 0; n < 100; ++n) {
#pragma unroll
        for (int i = 0; i < 60; ++i) value[i] = value[i] * value[(i + 7) % 60] + p[n];
    }
#pragma unroll
    for (int i = 0; i < 60; ++i) p[i * 32] = value[i];
}

// The same wrong configurations through the call that programs may write themselves.
static void configurations() {
    int* d = nullptr;
    int value = 4;
    void* args[] = {&d, &value};
    const void* f = reinterpret_cast<const void*>(store);
    SAY(cudaMalloc(&d, 4096));
    SAY(cudaLaunchKernel(f, dim3(1), dim3(32), args, 0, nullptr));
    SAY(cudaLaunchKernel(f, dim3(0), dim3(32), args, 0, nullptr));
    SAY(cudaLaunchKernel(f, dim3(1), dim3(0), args, 0, nullptr));
    SAY(cudaLaunchKernel(f, dim3(1), dim3(1025), args, 0, nullptr));
    SAY(cudaLaunchKernel(f, dim3(1), dim3(1, 1, 65), args, 0, nullptr));
    SAY(cudaLaunchKernel(f, dim3(1, 65536), dim3(1), args, 0, nullptr));
    SAY(cudaLaunchKernel(f, dim3(1), dim3(32), args, 49153, nullptr));
    SAY(cudaLaunchKernel(f, dim3(1), dim3(32), args, 300000, nullptr));
    SAY(cudaLaunchKernel(reinterpret_cast<const void*>(small_blocks), dim3(1), dim3(65), args, 0, nullptr));
    LAUNCH(many_registers<<<1, 1024>>>(reinterpret_cast<double*>(d)));
    LAUNCH(with_static<<<1, 32, 45056>>>(d));
    LAUNCH(with_static<<<1, 32, 45057>>>(d));
    cudaFuncAttributes attributes;
    SAY(cudaFuncGetAttributes(&attributes, with_static));
    std::printf("with_static: shared %d dynamic %d\n", int(attributes.sharedSizeBytes), attributes.maxDynamicSharedSizeBytes);
    SAY(cudaFuncSetAttribute(with_static, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 4096));
    SAY(cudaFuncSetAttribute(with_static, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 4095));
    SAY(cudaFuncSetAttribute(with_static, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000));
    LAUNCH(with_static<<<1, 32, 1001>>>(d));
    SAY(cudaFuncGetAttributes(&attributes, with_static));
    std::printf("with_static: dynamic %d\n", attributes.maxDynamicSharedSizeBytes);
    int blocks = -1;
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_static, 32, 60000));
    std::printf("blocks %d\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 32, 60000));
    std::printf("blocks %d\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small_blocks, 128, 0));
    std::printf("blocks %d\n", blocks);
    std::size_t available = 0;
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&available, store, 1, 256));
    std::printf("available %zu\n", available);
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&available, store, 8, 256));
    std::printf("available %zu\n", available);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(2048);
    SAY(cudaLaunchKernelEx(&config, store, d, 6));
    SAY(cudaDeviceSynchronize());
}

// A fault ends the context: what later calls return, and what a reset does.
static void fault(const char* kind) {
    int *d = nullptr, h[4];
    SAY(cudaMalloc(&d, 4096));
    if (!std::strcmp(kind, "trap")) trap<<<1, 1>>>();
    if (!std::strcmp(kind, "misaligned")) misaligned<<<1, 1>>>(reinterpret_cast<char*>(d));
    if (!std::strcmp(kind, "wild")) wild<<<1, 1>>>(reinterpret_cast<int*>(size_t(64) << 40));
    if (!std::strcmp(kind, "null")) null_store<<<1, 1>>>(nullptr);
    if (!std::strcmp(kind, "stack")) deep<<<1, 1>>>(d);
    if (!std::strcmp(kind, "assert")) failing<<<1, 1>>>(4);
    if (!std::strcmp(kind, "shared")) shared_wild<<<1, 32>>>(1 << 26);
    SAY(cudaDeviceSynchronize());
    SAY(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));
    SAY(cudaMalloc(&d, 16));
    LAUNCH(store<<<1, 1>>>(d, 4));
    SAY(cudaFree(d));
    int value = 0;
    SAY(cudaGetDeviceCount(&value));
    SAY(cudaGetDevice(&value));
    SAY(cudaSetDevice(0));
    SAY(cudaRuntimeGetVersion(&value));
    SAY(cudaDeviceReset());
    SAY(cudaMalloc(&d, 4096));
    LAUNCH(store<<<1, 1>>>(d, 4));
    SAY(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
    const char* what = argc > 1 ? argv[1] : "calls";
    if (!std::strcmp(what, "copies")) copies();
    if (!std::strcmp(what, "launches")) launches();
    if (!std::strcmp(what, "configurations")) configurations();
    if (!std::strcmp(what, "edges")) edges();
    if (!std::strcmp(what, "handles")) handles();
    if (!std::strcmp(what, "device")) device();
    if (!std::strcmp(what, "fault") && argc > 2) fault(argv[2]);
    return 0;
}
