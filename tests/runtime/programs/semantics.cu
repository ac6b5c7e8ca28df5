// What each CUDA call returns in ordinary and in wrong use, as lines "key value". The same lines come from a GPU and
// from tilescope; tests/runtime/programs/semantics.expected holds what an H200 with CUDA 13.0 printed. Usage: semantics
// copies | launches | configurations | edges | handles | device, or semantics fault KIND The text of every call is part
// of what is compared, so its layout stays as the hardware's run had it.
// clang-format off
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

__constant__ int table[8];
__device__ int counter = 7;
__managed__ int shared_value = 5;

__global__ void store(int* p, int value) { p[threadIdx.x] = value; }
__global__ void copy_table(int* p) { p[threadIdx.x] = table[threadIdx.x] + counter + shared_value; }
__global__ void __launch_bounds__(64) small_blocks(int* p) { p[threadIdx.x] = 1; }
__global__ void dynamic(int* p) {
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = buffer[threadIdx.x];
}
__global__ void trap() { asm volatile("trap;"); }
__global__ void misaligned(char* p) { *reinterpret_cast<volatile int*>(p + 1) = 3; }
__global__ void wild(int* p) { p[1u << 28] = 3; }
__device__ __noinline__ int recurse(int n, int* p) {
    int local[64];
    for (int i = 0; i < 64; ++i) local[i] = p[i] + n;
    return n < 0 ? 0 : recurse(n + 1, local) + local[n & 63];
}
__global__ void deep(int* p) { *p = recurse(1, p); }
__global__ void failing(int n) { assert(n == 5); }
__global__ void shared_wild(int n) {
    __shared__ int s[32];
    s[threadIdx.x] = n;
    __syncthreads();
    reinterpret_cast<volatile int*>(s)[n] = 3;
}
__global__ void null_store(int* p) { *p = 3; }

static void say(const char* key, cudaError_t error) {
    std::printf("%s %s", key, cudaGetErrorName(error));
    const cudaError_t peek = cudaPeekAtLastError();
    const cudaError_t last = cudaGetLastError();
    std::printf(" peek %s last %s then %s\n", cudaGetErrorName(peek), cudaGetErrorName(last),
                cudaGetErrorName(cudaGetLastError()));
}
#define SAY(call) say(#call, call)
#define LAUNCH(...)                       \
    do {                                  \
        __VA_ARGS__;                      \
        say(#__VA_ARGS__, cudaSuccess);   \
    } while (0)

static void copies() {
    int *d = nullptr, *e = nullptr;
    static int h[1024], g[1024];
    SAY(cudaMalloc(&d, 4096));
    SAY(cudaMalloc(&e, 4096));
    SAY(cudaMalloc(nullptr, 16));
    int* empty = reinterpret_cast<int*>(8);
    SAY(cudaMalloc(&empty, 0));
    std::printf("malloc 0 gives null: %d\n", empty == nullptr);
    int* huge = nullptr;
    SAY(cudaMalloc(&huge, size_t(1) << 60));
    SAY(cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, nullptr, 16, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(nullptr, h, 16, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, e, 16, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(h, g, 16, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, e, 16, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(h, g, 16, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(d, h, 16, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(d, h, 16, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(h, d, 16, cudaMemcpyHostToHost));
    SAY(cudaMemcpy(h, g, 16, cudaMemcpyHostToHost));
    SAY(cudaMemcpy(d, h, 16, cudaMemcpyDefault));
    SAY(cudaMemcpy(d, h, 16, static_cast<cudaMemcpyKind>(9)));
    SAY(cudaMemcpy(d, h, size_t(1) << 40, cudaMemcpyDefault));
    SAY(cudaMemcpy2D(d, 64, h, 64, 65, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(d, 64, h, 64, 64, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(d, 64, h, 64, 0, 2, cudaMemcpyHostToDevice));
    SAY(cudaMemset(d, 1, 4096));
    SAY(cudaMemset(h, 1, 64));
    SAY(cudaMemset(nullptr, 1, 64));
    SAY(cudaMemset(nullptr, 1, 0));
    SAY(cudaMemset2D(d, 64, 0, 65, 2));
    SAY(cudaMemcpyToSymbol(table, h, 32));
    SAY(cudaMemcpyToSymbol(table, h, 33));
    SAY(cudaMemcpyToSymbol(table, h, 16, 20));
    SAY(cudaMemcpyToSymbol(table, h, 16, 0, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyToSymbol(static_cast<const void*>(h), g, 16));
    SAY(cudaMemcpyFromSymbol(h, counter, 4));
    std::printf("counter %d\n", h[0]);
    void* address = nullptr;
    size_t size = 0;
    SAY(cudaGetSymbolAddress(&address, counter));
    SAY(cudaGetSymbolSize(&size, table));
    std::printf("table size %zu\n", size);
    SAY(cudaGetSymbolAddress(&address, shared_value));
    std::printf("managed symbol is its own address: %d\n", address == &shared_value);
    SAY(cudaGetSymbolAddress(&address, static_cast<const void*>(h)));
    SAY(cudaFree(d + 1));
    SAY(cudaFree(h));
    SAY(cudaFree(nullptr));
    SAY(cudaFree(d));
    SAY(cudaFree(d));
    SAY(cudaFreeHost(e));
    SAY(cudaFree(e));
    SAY(cudaFreeHost(nullptr));
    int* pinned = nullptr;
    SAY(cudaMallocHost(&pinned, 64));
    SAY(cudaFree(pinned));
    SAY(cudaFreeHost(pinned));
    SAY(cudaFreeHost(pinned));
    SAY(cudaHostAlloc(&pinned, 64, 0x100));
    SAY(cudaHostRegister(g, 4096, 0));
    SAY(cudaHostRegister(g, 4096, 0));
    unsigned flags = 9;
    SAY(cudaHostGetFlags(&flags, g));
    SAY(cudaHostGetFlags(&flags, h));
    void* device_pointer = nullptr;
    SAY(cudaHostGetDevicePointer(&device_pointer, g, 0));
    SAY(cudaHostGetDevicePointer(&device_pointer, h, 0));
    SAY(cudaHostUnregister(g));
    SAY(cudaHostUnregister(g));
    SAY(cudaHostRegister(nullptr, 16, 0));
    SAY(cudaHostRegister(g, 0, 0));
    int* managed = nullptr;
    SAY(cudaMallocManaged(&managed, 64));
    SAY(cudaMallocManaged(&managed, 0));
    cudaPointerAttributes attributes;
    SAY(cudaPointerGetAttributes(&attributes, h));
    std::printf("host type %d device %d\n", attributes.type, attributes.device);
    SAY(cudaPointerGetAttributes(&attributes, nullptr));
    std::printf("null type %d device %d\n", attributes.type, attributes.device);
    SAY(cudaMalloc(&d, 4096));
    SAY(cudaPointerGetAttributes(&attributes, d + 3));
    std::printf("device type %d device %d offset %d host %d\n", attributes.type, attributes.device,
                int(static_cast<int*>(attributes.devicePointer) - d), attributes.hostPointer != nullptr);
    size_t pitch = 0;
    int* rows = nullptr;
    SAY(cudaMallocPitch(&rows, &pitch, 100, 4));
    std::printf("pitch of 100: %zu\n", pitch);
    SAY(cudaMallocPitch(&rows, &pitch, 1025, 4));
    std::printf("pitch of 1025: %zu\n", pitch);
    SAY(cudaMallocPitch(&rows, &pitch, 0, 4));
    cudaPitchedPtr volume;
    SAY(cudaMalloc3D(&volume, make_cudaExtent(100, 3, 2)));
    std::printf("volume pitch %zu xsize %zu ysize %zu\n", volume.pitch, volume.xsize, volume.ysize);
    SAY(cudaMemset3D(volume, 0, make_cudaExtent(100, 3, 2)));
    SAY(cudaMemset3D(volume, 0, make_cudaExtent(100, 4, 2)));
    SAY(cudaMallocAsync(&rows, 64, 0));
    SAY(cudaFreeAsync(rows, 0));
    SAY(cudaFreeAsync(nullptr, 0));
    size_t free_bytes = 0, total = 0;
    SAY(cudaMemGetInfo(&free_bytes, &total));
    SAY(cudaMemGetInfo(nullptr, &total));
}

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

// Copies past the end, hints and peers.
static void edges() {
    int *d = nullptr, *m = nullptr;
    static char h[1 << 16];
    int value = -7, count = 0;
    SAY(cudaMalloc(&d, 1 << 22));
    SAY(cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d + (1 << 20) - 4, h, 64, cudaMemcpyHostToDevice));
    SAY(cudaMemset(d + (1 << 20) - 4, 0, 64));
    SAY(cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, nullptr));
    SAY(cudaMemcpyPeer(d, 0, d + 64, 0, 64));
    SAY(cudaMemcpyPeer(d, 0, d + 64, 1, 64));
    SAY(cudaMemcpyPeer(d, 0, h, 0, 64));
    SAY(cudaMallocManaged(&m, 1 << 16));
    SAY(cudaMallocManaged(&m, 64, 0));
    SAY(cudaMallocManaged(&m, 1 << 16, cudaMemAttachHost));
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0},
                    nowhere = {cudaMemLocationTypeDevice, 99};
    SAY(cudaMemPrefetchAsync(m, 1 << 16, device, 0, nullptr));
    SAY(cudaMemPrefetchAsync(m, 1 << 16, host, 0, nullptr));
    SAY(cudaMemPrefetchAsync(m, 1 << 16, nowhere, 0, nullptr));
    SAY(cudaMemPrefetchAsync(d, 64, device, 0, nullptr));
    SAY(cudaMemPrefetchAsync(m, 0, device, 0, nullptr));
    SAY(cudaMemAdvise(m, 64, cudaMemAdviseSetReadMostly, device));
    SAY(cudaMemAdvise(m, 64, cudaMemAdviseSetPreferredLocation, host));
    SAY(cudaMemAdvise(d, 64, cudaMemAdviseSetReadMostly, device));
    SAY(cudaMemAdvise(m, 64, static_cast<cudaMemoryAdvise>(99), device));
    SAY(cudaStreamAttachMemAsync(nullptr, m));
    SAY(cudaStreamAttachMemAsync(nullptr, d));
    SAY(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    SAY(cudaChooseDevice(&count, nullptr));
    SAY(cudaSetValidDevices(nullptr, 0));
    SAY(cudaDeviceGetStreamPriorityRange(nullptr, &value));
    SAY(cudaGetDeviceProperties(nullptr, 0));
    SAY(cudaPointerGetAttributes(nullptr, d));
    cudaPointerAttributes attributes;
    SAY(cudaPointerGetAttributes(&attributes, m));
    std::printf("managed type %d\n", attributes.type);
    int* pinned = nullptr;
    SAY(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable));
    unsigned flags = 0;
    SAY(cudaHostGetFlags(&flags, pinned));
    std::printf("flags %u\n", flags);
    SAY(cudaMemcpy(pinned + 8, d, 64, cudaMemcpyDeviceToHost));
    SAY(cudaPointerGetAttributes(&attributes, pinned));
    std::printf("pinned type %d device %d same %d\n", attributes.type, attributes.device, attributes.devicePointer == pinned);
    cudaStreamCaptureStatus status;
    SAY(cudaStreamIsCapturing(nullptr, &status));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(h, 128, 100, 4);
    p.dstPtr = make_cudaPitchedPtr(d, 512, 100, 4);
    p.extent = make_cudaExtent(100, 4, 2);
    p.kind = cudaMemcpyHostToDevice;
    SAY(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(129, 4, 2);
    SAY(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(100, 5, 2);
    SAY(cudaMemcpy3D(&p));
    p.extent = make_cudaExtent(0, 5, 2);
    SAY(cudaMemcpy3D(&p));
    SAY(cudaMemcpy2D(d, 64, h, 64, 100, 1, cudaMemcpyHostToDevice));
    SAY(cudaMemset2D(d, 64, 0, 100, 1));
}

static void handles() {
    cudaStream_t stream = nullptr;
    cudaEvent_t a = nullptr, b = nullptr, untimed = nullptr;
    SAY(cudaStreamCreate(&stream));
    SAY(cudaStreamCreate(nullptr));
    unsigned flags = 7;
    int priority = 9, device = -1;
    unsigned long long id = 0;
    SAY(cudaStreamGetFlags(stream, &flags));
    std::printf("flags %u\n", flags);
    SAY(cudaStreamGetPriority(stream, &priority));
    std::printf("priority %d\n", priority);
    SAY(cudaStreamGetDevice(stream, &device));
    SAY(cudaStreamGetId(stream, &id));
    SAY(cudaStreamQuery(stream));
    SAY(cudaStreamQuery(nullptr));
    SAY(cudaStreamSynchronize(cudaStreamLegacy));
    SAY(cudaStreamSynchronize(cudaStreamPerThread));
    SAY(cudaStreamGetFlags(cudaStreamLegacy, &flags));
    std::printf("legacy flags %u\n", flags);
    SAY(cudaStreamGetFlags(cudaStreamPerThread, &flags));
    std::printf("per-thread flags %u\n", flags);
    SAY(cudaStreamDestroy(cudaStreamLegacy));
    SAY(cudaStreamDestroy(nullptr));
    cudaStream_t other = nullptr;
    SAY(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    SAY(cudaStreamCreateWithFlags(&other, 99));
    SAY(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -3));
    SAY(cudaStreamGetPriority(other, &priority));
    std::printf("priority %d\n", priority);
    SAY(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -99));
    SAY(cudaStreamGetPriority(other, &priority));
    std::printf("priority %d\n", priority);
    SAY(cudaEventCreate(&a));
    SAY(cudaEventCreate(&b));
    SAY(cudaEventCreate(nullptr));
    SAY(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    cudaEvent_t bad = nullptr;
    SAY(cudaEventCreateWithFlags(&bad, 0x100));
    SAY(cudaEventCreateWithFlags(&bad, cudaEventInterprocess));
    float ms = -1;
    SAY(cudaEventElapsedTime(&ms, a, b));
    SAY(cudaEventQuery(a));
    SAY(cudaEventSynchronize(a));
    SAY(cudaEventRecord(a, stream));
    SAY(cudaEventRecord(b, stream));
    SAY(cudaEventRecord(untimed, stream));
    SAY(cudaEventRecord(nullptr, stream));
    SAY(cudaStreamWaitEvent(stream, a, 0));
    SAY(cudaStreamWaitEvent(stream, nullptr, 0));
    SAY(cudaStreamWaitEvent(stream, a, 99));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaEventElapsedTime(&ms, a, b));
    std::printf("time is positive: %d\n", ms >= 0);
    SAY(cudaEventElapsedTime(&ms, a, untimed));
    SAY(cudaEventElapsedTime(nullptr, a, b));
    SAY(cudaEventDestroy(a));
    SAY(cudaEventDestroy(nullptr));
    SAY(cudaEventDestroy(b));
    static int called = 0;
    SAY(cudaLaunchHostFunc(stream, [](void* p) { ++*static_cast<int*>(p); }, &called));
    SAY(cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void* p) { ++*static_cast<int*>(p); }, &called, 0));
    SAY(cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 1));
    SAY(cudaLaunchHostFunc(stream, nullptr, nullptr));
    SAY(cudaStreamSynchronize(stream));
    std::printf("called %d\n", called);
    SAY(cudaStreamDestroy(stream));
}

static void device() {
    int count = 0, value = 0, major = 0;
    SAY(cudaSetDevice(0));
    SAY(cudaSetDevice(99));
    SAY(cudaSetDevice(-1));
    SAY(cudaGetDevice(&value));
    std::printf("device %d\n", value);
    SAY(cudaGetDeviceCount(&count));
    SAY(cudaGetDeviceCount(nullptr));
    cudaDeviceProp properties;
    SAY(cudaGetDeviceProperties(&properties, 0));
    SAY(cudaGetDeviceProperties(&properties, 99));
    SAY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    SAY(cudaDeviceGetAttribute(&major, static_cast<cudaDeviceAttr>(0), 0));
    SAY(cudaDeviceGetAttribute(&major, static_cast<cudaDeviceAttr>(9999), 0));
    SAY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 99));
    SAY(cudaDeviceGetAttribute(nullptr, cudaDevAttrComputeCapabilityMajor, 0));
    size_t limit = 0;
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    std::printf("stack %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    std::printf("printf %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    std::printf("heap %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth));
    std::printf("sync depth %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
    std::printf("pending %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitMaxL2FetchGranularity));
    std::printf("fetch %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
    std::printf("persisting %zu\n", limit);
    SAY(cudaDeviceGetLimit(&limit, static_cast<cudaLimit>(77)));
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    std::printf("stack %zu\n", limit);
    SAY(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1));
    cudaFuncCache cache;
    SAY(cudaDeviceGetCacheConfig(&cache));
    std::printf("cache %d\n", cache);
    SAY(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    SAY(cudaDeviceGetCacheConfig(&cache));
    std::printf("cache %d\n", cache);
    SAY(cudaFuncSetCacheConfig(store, cudaFuncCachePreferShared));
    SAY(cudaFuncSetCacheConfig(store, static_cast<cudaFuncCache>(9)));
    SAY(cudaDeviceCanAccessPeer(&value, 0, 0));
    std::printf("peer self %d\n", value);
    SAY(cudaDeviceCanAccessPeer(&value, 0, 99));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceEnablePeerAccess(99, 0));
    SAY(cudaDeviceDisablePeerAccess(0));
    char id[32];
    SAY(cudaDeviceGetPCIBusId(id, 32, 0));
    SAY(cudaDeviceGetPCIBusId(id, 4, 0));
    SAY(cudaDeviceGetPCIBusId(id, 32, 99));
    SAY(cudaDeviceGetByPCIBusId(&value, "junk"));
    SAY(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    SAY(cudaSetDeviceFlags(0x4000));
    unsigned flags = 0;
    SAY(cudaGetDeviceFlags(&flags));
    std::printf("device flags %u\n", flags);
    SAY(cudaDeviceReset());
    SAY(cudaProfilerStart());
    SAY(cudaProfilerStop());
    int driver = 0, runtime = 0;
    SAY(cudaDriverGetVersion(&driver));
    SAY(cudaRuntimeGetVersion(&runtime));
    std::printf("runtime %d\n", runtime);
    std::printf("names %s %s %s %s\n", cudaGetErrorName(cudaErrorInvalidValue), cudaGetErrorString(cudaErrorInvalidValue),
                cudaGetErrorName(static_cast<cudaError_t>(5555)), cudaGetErrorString(static_cast<cudaError_t>(5555)));
    cudaMemPool_t pool = nullptr;
    SAY(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = 5;
    SAY(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    std::printf("threshold %llu\n", threshold);
    threshold = 1024;
    SAY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    SAY(cudaMemPoolTrimTo(pool, 0));
    SAY(cudaMemPoolDestroy(pool));
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
