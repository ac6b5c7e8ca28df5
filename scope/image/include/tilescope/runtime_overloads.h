// The C++ overloads of the runtime: typed pointers, symbols by reference, kernels by name.
#pragma once

#include <type_traits>
#include <utility>

#include "../cuda_runtime_api.h"

template <class T>
inline cudaError_t cudaMalloc(T** devPtr, size_t size) {
    return cudaMalloc(reinterpret_cast<void**>(devPtr), size);
}
template <class T>
inline cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
    return cudaHostAlloc(reinterpret_cast<void**>(ptr), size, flags);
}
inline cudaError_t cudaMallocHost(void** ptr, size_t size, unsigned int flags) {
    return cudaHostAlloc(ptr, size, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
    return cudaHostAlloc(reinterpret_cast<void**>(ptr), size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
// As CUDA 13 spells it.
inline cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, struct cudaMemLocation location,
                                        unsigned int flags, cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync_v2(devPtr, count, location, flags, stream);
}
inline cudaError_t cudaMemAdvise(const void* devPtr, size_t count, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation location) {
    return cudaMemAdvise_v2(devPtr, count, advice, location);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void**>(devPtr), size, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
    return cudaMallocPitch(reinterpret_cast<void**>(devPtr), pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** devPtr, size_t size, cudaStream_t stream) {
    return cudaMallocAsync(reinterpret_cast<void**>(devPtr), size, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(reinterpret_cast<void**>(ptr), size, pool, stream);
}
inline cudaError_t cudaMallocAsync(void** ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(ptr, size, pool, stream);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return cudaEventCreateWithFlags(event, flags);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), src, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(dst, reinterpret_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(dst, reinterpret_cast<const void*>(&symbol), count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** devPtr, const T& symbol) {
    return cudaGetSymbolAddress(devPtr, reinterpret_cast<const void*>(&symbol));
}
template <class P, class T>
inline cudaError_t cudaGetSymbolAddress(P** devPtr, const T& symbol) {
    return cudaGetSymbolAddress(reinterpret_cast<void**>(devPtr), reinterpret_cast<const void*>(&symbol));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
    return cudaGetSymbolSize(size, reinterpret_cast<const void*>(&symbol));
}

template <class T>
inline cudaError_t cudaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0,
                                    cudaStream_t stream = 0) {
    return cudaLaunchKernel(reinterpret_cast<const void*>(func), gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0,
                                               cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(func), gridDim, blockDim, args, sharedMem, stream);
}
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                      Arguments&&... arguments) {
    return [&](Parameters... converted) {
        void* addresses[sizeof...(Parameters) + 1] = {(void*)&converted...};
        return cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), addresses);
    }(static_cast<Parameters>(arguments)...);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* func) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(func));
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T* func, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(func), attribute, value);
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* func, cudaFuncCache config) {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(func), config);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T func, int blockSize,
                                                                 size_t dynamicSharedBytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(func),
                                                                  blockSize, dynamicSharedBytes, cudaOccupancyDefault);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T func, int blockSize,
                                                                          size_t dynamicSharedBytes,
                                                                          unsigned int flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(func),
                                                                  blockSize, dynamicSharedBytes, flags);
}
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* func, int blocks, int blockSize) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(func), blocks, blockSize);
}

// The block size, a multiple of the warp, that puts the most threads on a multiprocessor; the largest such one.
template <class Size, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, T func,
                                                                  Size sharedBytesOf, int blockSizeLimit = 0) {
    int device = 0, multiprocessors = 0, threadsPerMultiprocessor = 0, warp = 0;
    cudaFuncAttributes attributes;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&threadsPerMultiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (status == cudaSuccess) status = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (status == cudaSuccess) status = cudaFuncGetAttributes(&attributes, func);
    if (status != cudaSuccess) return status;
    int limit = attributes.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
    int best_threads = 0;
    *minGridSize = *blockSize = 0;
    for (int rounded = (limit + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
        const int size = rounded < limit ? rounded : limit;
        int blocks = 0;
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, func, size, sharedBytesOf(size));
        if (status != cudaSuccess) return status;
        if (blocks * size > best_threads) {
            best_threads = blocks * size;
            *blockSize = size;
            *minGridSize = blocks * multiprocessors;
        }
        if (best_threads == threadsPerMultiprocessor) break;
    }
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T func,
                                                      size_t dynamicSharedBytes = 0, int blockSizeLimit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        minGridSize, blockSize, func, [=](int) { return dynamicSharedBytes; }, blockSizeLimit);
}
