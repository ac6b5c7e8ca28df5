// The host interface: every call that an ordinary program makes, with the types it makes it with.
#include <cuda_runtime_api.h>
#include <stdio.h>

#include <vector>

__constant__ int constant[4];
__device__ float variable;
__global__ void kernel(float* p, int n) { p[threadIdx.x] = n + constant[0] + variable; }

struct FourBytesAThread {
    __host__ __device__ size_t operator()(int threads) const { return 4 * threads; }
};

#define TRY(call)                                                                 \
    if (cudaError_t status = (call)) {                                            \
        printf("%s: %s\n", cudaGetErrorName(status), cudaGetErrorString(status)); \
        return 1;                                                                 \
    }

int devices() {
    int count = 0, value = 0;
    cudaDeviceProp properties;
    TRY(cudaGetDeviceCount(&count));
    TRY(cudaSetDevice(0));
    TRY(cudaGetDevice(&value));
    TRY(cudaGetDeviceProperties(&properties, 0));
    TRY(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    printf("%s %d.%d %zu %d\n", properties.name, properties.major, properties.minor, properties.totalGlobalMem,
           properties.multiProcessorCount);
    TRY(cudaRuntimeGetVersion(&value));
    TRY(cudaDriverGetVersion(&value));
    TRY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    return cudaDeviceReset() == cudaSuccess ? 0 : 1;
}

int memory() {
    float *device = nullptr, *pinned = nullptr, *managed = nullptr, *pitched = nullptr, *mapped = nullptr;
    size_t pitch = 0, free = 0, total = 0;
    std::vector<float> host(64);
    TRY(cudaMalloc(&device, 256));
    TRY(cudaMalloc((void**)&device, 256));
    TRY(cudaMallocHost(&pinned, 256));
    TRY(cudaHostAlloc(&pinned, 256, cudaHostAllocMapped));
    TRY(cudaHostGetDevicePointer(&mapped, pinned, 0));
    TRY(cudaMallocManaged(&managed, 256));
    TRY(cudaMallocPitch(&pitched, &pitch, 100, 10));
    TRY(cudaMemcpy(device, host.data(), 256, cudaMemcpyHostToDevice));
    TRY(cudaMemcpyAsync(host.data(), device, 256, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy2D(pitched, pitch, host.data(), 40, 40, 5, cudaMemcpyDefault));
    TRY(cudaMemset(device, 0, 256));
    TRY(cudaMemset2D(pitched, pitch, 0, 40, 5));
    TRY(cudaMemcpyToSymbol(constant, host.data(), 16));
    TRY(cudaMemcpyFromSymbol(host.data(), variable, sizeof variable));
    void* address = nullptr;
    TRY(cudaGetSymbolAddress(&address, variable));
    TRY(cudaGetSymbolSize(&pitch, constant));
    cudaPointerAttributes attributes;
    TRY(cudaPointerGetAttributes(&attributes, device));
    TRY(cudaMemGetInfo(&free, &total));
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = make_cudaPitchedPtr(host.data(), 16, 4, 4);
    parms.extent = make_cudaExtent(16, 4, 1);
    parms.kind = cudaMemcpyHostToDevice;
    TRY(cudaMemcpy3D(&parms));
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    TRY(cudaMallocArray(&array, &format, 8, 8));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    TRY(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    TRY(cudaDestroyTextureObject(texture));
    TRY(cudaFreeArray(array));
    TRY(cudaFreeHost(pinned));
    return cudaFree(device) == cudaSuccess ? 0 : 1;
}

int launches() {
    cudaStream_t stream;
    cudaEvent_t start, stop;
    float milliseconds = 0, *device = nullptr;
    TRY(cudaStreamCreate(&stream));
    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(cudaEventCreate(&start));
    TRY(cudaEventCreateWithFlags(&stop, cudaEventDisableTiming));
    TRY(cudaMallocAsync(&device, 256, stream));
    TRY(cudaEventRecord(start, stream));
    kernel<<<1, 32, 0, stream>>>(device, 3);
    TRY(cudaGetLastError());
    TRY(cudaPeekAtLastError());
    TRY(cudaEventRecord(stop));
    TRY(cudaStreamWaitEvent(stream, stop));
    TRY(cudaEventSynchronize(stop));
    TRY(cudaEventElapsedTime(&milliseconds, start, stop));
    int n = 3, blocks = 0, size = 0;
    void* arguments[] = {&device, &n};
    TRY(cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, stream));
    TRY(cudaLaunchKernel((const void*)kernel, dim3(1), dim3(32), arguments, 0, stream));
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = dim3(32);
    config.stream = stream;
    TRY(cudaLaunchKernelEx(&config, kernel, device, n));
    TRY(cudaLaunchHostFunc(
        stream, [](void*) {}, nullptr));
    cudaFuncAttributes attributes;
    TRY(cudaFuncGetAttributes(&attributes, kernel));
    TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    TRY(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
    TRY(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, kernel, 0, 0));
    TRY(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &size, kernel, FourBytesAThread()));
    TRY(cudaStreamSynchronize(stream));
    TRY(cudaStreamQuery(stream));
    TRY(cudaFreeAsync(device, stream));
    TRY(cudaEventDestroy(start));
    TRY(cudaStreamDestroy(stream));
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

int main() { return devices() + memory() + launches(); }
