// NVTX's names for what the runtime makes: calls that do nothing.
#pragma once
#include <cuda_runtime_api.h>
#include <nvToolsExt.h>

static inline void nvtxNameCudaDeviceA(int, const char*) {}
static inline void nvtxNameCudaDeviceW(int, const wchar_t*) {}
static inline void nvtxNameCudaStreamA(cudaStream_t, const char*) {}
static inline void nvtxNameCudaStreamW(cudaStream_t, const wchar_t*) {}
static inline void nvtxNameCudaEventA(cudaEvent_t, const char*) {}
static inline void nvtxNameCudaEventW(cudaEvent_t, const wchar_t*) {}
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
