// The CUDA runtime's C interface as the tests call it, in its own binary terms.
#pragma once

#include <cstddef>

#include "scope/runtime/cudart/abi.h"

namespace tilescope::runtime {

using abi::Dim;

extern "C" {
cudaError cudaGetLastError();
cudaError cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError);
const char* cudaGetErrorString(cudaError);

cudaError cudaMalloc(void**, std::size_t);
cudaError cudaFree(void*);
cudaError cudaMallocManaged(void**, std::size_t, unsigned);
cudaError cudaMallocPitch(void**, std::size_t*, std::size_t, std::size_t);
cudaError cudaMalloc3D(abi::PitchedPointer*, abi::Extent);
cudaError cudaMemGetInfo(std::size_t*, std::size_t*);
cudaError cudaMallocHost(void**, std::size_t);
cudaError cudaHostAlloc(void**, std::size_t, unsigned);
cudaError cudaFreeHost(void*);
cudaError cudaHostRegister(void*, std::size_t, unsigned);
cudaError cudaHostUnregister(void*);
cudaError cudaMallocAsync(void**, std::size_t, void*);
cudaError cudaFreeAsync(void*, void*);
cudaError cudaDeviceGetDefaultMemPool(void**, int);
cudaError cudaMemPoolGetAttribute(void*, int, void*);

cudaError cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind);
cudaError cudaMemcpyAsync(void*, const void*, std::size_t, cudaMemcpyKind, void*);
cudaError cudaMemcpy2D(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, cudaMemcpyKind);
cudaError cudaMemcpy3D(const abi::Memcpy3D*);
cudaError cudaMemset(void*, int, std::size_t);
cudaError cudaMemset2D(void*, std::size_t, int, std::size_t, std::size_t);
cudaError cudaMemset3D(abi::PitchedPointer, int, abi::Extent);
cudaError cudaMemcpyToSymbol(const void*, const void*, std::size_t, std::size_t, cudaMemcpyKind);
cudaError cudaMemcpyFromSymbol(void*, const void*, std::size_t, std::size_t, cudaMemcpyKind);
cudaError cudaGetSymbolAddress(void**, const void*);
cudaError cudaGetSymbolSize(std::size_t*, const void*);

cudaError cudaStreamCreate(void**);
cudaError cudaStreamDestroy(void*);
cudaError cudaStreamSynchronize(void*);
cudaError cudaStreamGetId(void*, unsigned long long*);
cudaError cudaStreamSetAttribute(void*, int, const tilescope::abi::AttributeValue*);
cudaError cudaStreamGetAttribute(void*, int, tilescope::abi::AttributeValue*);
cudaError cudaStreamCopyAttributes(void*, void*);
cudaError cudaLaunchHostFunc(void*, void (*)(void*), void*);
cudaError cudaEventCreate(void**);
cudaError cudaEventRecord(void*, void*);
cudaError cudaEventElapsedTime(float*, void*, void*);
cudaError cudaEventDestroy(void*);

cudaError cudaDeviceSynchronize();
cudaError cudaDeviceReset();
cudaError cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);
cudaError cudaGetDeviceProperties(void*, int);
cudaError cudaGetDeviceProperties_v2(void*, int);
cudaError cudaRuntimeGetVersion(int*);
cudaError cudaGetDeviceCount(int*);
cudaError cudaGraphCreate(void**, unsigned);
cudaError cudaArrayGetPlane(void**);

void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, std::size_t, int, int);
char __cudaInitModule(void**);
unsigned __cudaPushCallConfiguration(Dim, Dim, std::size_t, void*);
cudaError __cudaPopCallConfiguration(Dim*, Dim*, std::size_t*, void**);
cudaError __cudaGetKernel(const void**, const void*);
cudaError __cudaLaunchKernel(const void*, Dim, Dim, void**, std::size_t, void*);
cudaError cudaLaunchKernel(const void*, Dim, Dim, void**, std::size_t, void*);
cudaError cudaLaunchKernelExC(const abi::LaunchConfig*, const void*, void**);
cudaError cudaFuncGetAttributes(void*, const void*);
cudaError cudaFuncSetAttribute(const void*, cudaFuncAttribute, int);
cudaError cudaFuncGetName(const char**, const void*);
cudaError cudaFuncGetParamInfo(const void*, std::size_t, std::size_t*, std::size_t*);
cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void*, int, std::size_t);
cudaError cudaPointerGetAttributes(void*, const void*);
}

}  // namespace tilescope::runtime
