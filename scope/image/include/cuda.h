// The driver's interface (release 12.8's names and numbers), as far as programs of the runtime use it: its types,
// results, attributes and the usual calls.
//
// Guarantees: handles are the runtime's own types, so that a CUstream is a cudaStream_t. The calls are in our
// libcuda.so.1 (-lcuda). Does not model: calls that are rare; a program that makes them wants NVIDIA's header.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tilescope/uuid.h"

#undef CUDA_VERSION
#define CUDA_VERSION 12080

#if defined(__cplusplus)
extern "C" {
#endif

typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUlib_st* CUlibrary;
typedef struct CUfunc_st* CUfunction;
typedef struct CUkern_st* CUkernel;
typedef struct CUarray_st* CUarray;
typedef struct CUmipmappedArray_st* CUmipmappedArray;
typedef struct CUtexref_st* CUtexref;
typedef struct CUsurfref_st* CUsurfref;
typedef struct CUevent_st* CUevent;
typedef struct CUstream_st* CUstream;
typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphNode_st* CUgraphNode;
typedef struct CUgraphExec_st* CUgraphExec;
typedef struct CUmemPoolHandle_st* CUmemoryPool;
typedef struct CUlinkState_st* CUlinkState;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef void (*CUhostFn)(void* userData);
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

#define TILESCOPE_RESULTS(X)                 \
    X(SUCCESS, 0)                            \
    X(ERROR_INVALID_VALUE, 1)                \
    X(ERROR_OUT_OF_MEMORY, 2)                \
    X(ERROR_NOT_INITIALIZED, 3)              \
    X(ERROR_DEINITIALIZED, 4)                \
    X(ERROR_STUB_LIBRARY, 34)                \
    X(ERROR_DEVICE_UNAVAILABLE, 46)          \
    X(ERROR_NO_DEVICE, 100)                  \
    X(ERROR_INVALID_DEVICE, 101)             \
    X(ERROR_DEVICE_NOT_LICENSED, 102)        \
    X(ERROR_INVALID_IMAGE, 200)              \
    X(ERROR_INVALID_CONTEXT, 201)            \
    X(ERROR_CONTEXT_ALREADY_CURRENT, 202)    \
    X(ERROR_MAP_FAILED, 205)                 \
    X(ERROR_UNMAP_FAILED, 206)               \
    X(ERROR_ARRAY_IS_MAPPED, 207)            \
    X(ERROR_ALREADY_MAPPED, 208)             \
    X(ERROR_NO_BINARY_FOR_GPU, 209)          \
    X(ERROR_ALREADY_ACQUIRED, 210)           \
    X(ERROR_NOT_MAPPED, 211)                 \
    X(ERROR_ECC_UNCORRECTABLE, 214)          \
    X(ERROR_UNSUPPORTED_LIMIT, 215)          \
    X(ERROR_CONTEXT_ALREADY_IN_USE, 216)     \
    X(ERROR_PEER_ACCESS_UNSUPPORTED, 217)    \
    X(ERROR_INVALID_PTX, 218)                \
    X(ERROR_NVLINK_UNCORRECTABLE, 220)       \
    X(ERROR_JIT_COMPILER_NOT_FOUND, 221)     \
    X(ERROR_UNSUPPORTED_PTX_VERSION, 222)    \
    X(ERROR_INVALID_SOURCE, 300)             \
    X(ERROR_FILE_NOT_FOUND, 301)             \
    X(ERROR_OPERATING_SYSTEM, 304)           \
    X(ERROR_INVALID_HANDLE, 400)             \
    X(ERROR_ILLEGAL_STATE, 401)              \
    X(ERROR_NOT_FOUND, 500)                  \
    X(ERROR_NOT_READY, 600)                  \
    X(ERROR_ILLEGAL_ADDRESS, 700)            \
    X(ERROR_LAUNCH_OUT_OF_RESOURCES, 701)    \
    X(ERROR_LAUNCH_TIMEOUT, 702)             \
    X(ERROR_PRIMARY_CONTEXT_ACTIVE, 708)     \
    X(ERROR_CONTEXT_IS_DESTROYED, 709)       \
    X(ERROR_ASSERT, 710)                     \
    X(ERROR_HARDWARE_STACK_ERROR, 714)       \
    X(ERROR_ILLEGAL_INSTRUCTION, 715)        \
    X(ERROR_MISALIGNED_ADDRESS, 716)         \
    X(ERROR_INVALID_ADDRESS_SPACE, 717)      \
    X(ERROR_INVALID_PC, 718)                 \
    X(ERROR_LAUNCH_FAILED, 719)              \
    X(ERROR_NOT_PERMITTED, 800)              \
    X(ERROR_NOT_SUPPORTED, 801)              \
    X(ERROR_SYSTEM_NOT_READY, 802)           \
    X(ERROR_SYSTEM_DRIVER_MISMATCH, 803)     \
    X(ERROR_STREAM_CAPTURE_UNSUPPORTED, 900) \
    X(ERROR_TIMEOUT, 909)                    \
    X(ERROR_INVALID_CLUSTER_SIZE, 912)       \
    X(ERROR_UNKNOWN, 999)
#define TILESCOPE_RESULT(name, number) CUDA_##name = number,
typedef enum cudaError_enum { TILESCOPE_RESULTS(TILESCOPE_RESULT) } CUresult;
#undef TILESCOPE_RESULT
#undef TILESCOPE_RESULTS

/* The attributes are numbered as the runtime's are. */
#define TILESCOPE_ATTRIBUTES(X)                 \
    X(MAX_THREADS_PER_BLOCK, 1)                 \
    X(MAX_BLOCK_DIM_X, 2)                       \
    X(MAX_BLOCK_DIM_Y, 3)                       \
    X(MAX_BLOCK_DIM_Z, 4)                       \
    X(MAX_GRID_DIM_X, 5)                        \
    X(MAX_GRID_DIM_Y, 6)                        \
    X(MAX_GRID_DIM_Z, 7)                        \
    X(MAX_SHARED_MEMORY_PER_BLOCK, 8)           \
    X(TOTAL_CONSTANT_MEMORY, 9)                 \
    X(WARP_SIZE, 10)                            \
    X(MAX_PITCH, 11)                            \
    X(MAX_REGISTERS_PER_BLOCK, 12)              \
    X(CLOCK_RATE, 13)                           \
    X(TEXTURE_ALIGNMENT, 14)                    \
    X(GPU_OVERLAP, 15)                          \
    X(MULTIPROCESSOR_COUNT, 16)                 \
    X(KERNEL_EXEC_TIMEOUT, 17)                  \
    X(INTEGRATED, 18)                           \
    X(CAN_MAP_HOST_MEMORY, 19)                  \
    X(COMPUTE_MODE, 20)                         \
    X(CONCURRENT_KERNELS, 31)                   \
    X(ECC_ENABLED, 32)                          \
    X(PCI_BUS_ID, 33)                           \
    X(PCI_DEVICE_ID, 34)                        \
    X(MEMORY_CLOCK_RATE, 36)                    \
    X(GLOBAL_MEMORY_BUS_WIDTH, 37)              \
    X(L2_CACHE_SIZE, 38)                        \
    X(MAX_THREADS_PER_MULTIPROCESSOR, 39)       \
    X(ASYNC_ENGINE_COUNT, 40)                   \
    X(UNIFIED_ADDRESSING, 41)                   \
    X(COMPUTE_CAPABILITY_MAJOR, 75)             \
    X(COMPUTE_CAPABILITY_MINOR, 76)             \
    X(STREAM_PRIORITIES_SUPPORTED, 78)          \
    X(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81) \
    X(MAX_REGISTERS_PER_MULTIPROCESSOR, 82)     \
    X(MANAGED_MEMORY, 83)                       \
    X(CONCURRENT_MANAGED_ACCESS, 89)            \
    X(COOPERATIVE_LAUNCH, 95)                   \
    X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)    \
    X(MAX_BLOCKS_PER_MULTIPROCESSOR, 106)       \
    X(MEMORY_POOLS_SUPPORTED, 115)
#define TILESCOPE_ATTRIBUTE(name, number) CU_DEVICE_ATTRIBUTE_##name = number,
typedef enum CUdevice_attribute_enum { TILESCOPE_ATTRIBUTES(TILESCOPE_ATTRIBUTE) } CUdevice_attribute;
#undef TILESCOPE_ATTRIBUTE
#undef TILESCOPE_ATTRIBUTES

typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9
} CUfunction_attribute;

typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE = 0,
    CU_FUNC_CACHE_PREFER_SHARED = 1,
    CU_FUNC_CACHE_PREFER_L1 = 2,
    CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;

typedef enum CUmemorytype_enum {
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_MEMORYTYPE_ARRAY = 3,
    CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;

typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0,
    CU_CTX_SCHED_SPIN = 1,
    CU_CTX_SCHED_YIELD = 2,
    CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_MAP_HOST = 8,
    CU_CTX_LMEM_RESIZE_TO_MAX = 16
} CUctx_flags;
typedef enum CUstream_flags_enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 } CUstream_flags;
typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_EVENT_INTERPROCESS = 4
} CUevent_flags;
typedef enum CUmemAttach_flags_enum {
    CU_MEM_ATTACH_GLOBAL = 1,
    CU_MEM_ATTACH_HOST = 2,
    CU_MEM_ATTACH_SINGLE = 4
} CUmemAttach_flags;
typedef enum CUlimit_enum {
    CU_LIMIT_STACK_SIZE = 0,
    CU_LIMIT_PRINTF_FIFO_SIZE = 1,
    CU_LIMIT_MALLOC_HEAP_SIZE = 2
} CUlimit;

typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS = 0,
    CU_JIT_THREADS_PER_BLOCK = 1,
    CU_JIT_WALL_TIME = 2,
    CU_JIT_INFO_LOG_BUFFER = 3,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_OPTIMIZATION_LEVEL = 7,
    CU_JIT_TARGET = 9
} CUjit_option;

#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_LAUNCH_PARAM_END ((void*)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)

/* devices and contexts */
CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuGetErrorString(CUresult error, const char** text);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int length, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy_v2(CUcontext context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxPushCurrent_v2(CUcontext context);
CUresult cuCtxPopCurrent_v2(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxSynchronize(void);

/* modules and kernels */
CUresult cuModuleLoad(CUmodule* module, const char* file);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options,
                            void** values);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name);
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
                        unsigned int blockX, unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes,
                        CUstream stream, void** parameters, void** extra);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int blockSize,
                                                     size_t dynamicSharedBytes);

/* memory */
CUresult cuMemGetInfo_v2(size_t* free, size_t* total);
CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags);
CUresult cuMemAllocHost_v2(void** pointer, size_t bytes);
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags);
CUresult cuMemFree_v2(CUdeviceptr pointer);
CUresult cuMemFreeHost(void* pointer);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes);
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemsetD8_v2(CUdeviceptr pointer, unsigned char value, size_t count);
CUresult cuMemsetD32_v2(CUdeviceptr pointer, unsigned int value, size_t count);

/* streams and events */
CUresult cuStreamCreate(CUstream* stream, unsigned int flags);
CUresult cuStreamDestroy_v2(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult cuEventCreate(CUevent* event, unsigned int flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventQuery(CUevent event);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);
CUresult cuEventDestroy_v2(CUevent event);

#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemFree cuMemFree_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2

#if defined(__cplusplus)
}
#endif
