// The binary interface of the CUDA runtime: the structures that programs and libcudart hand to each other.
//
// Owns: the layouts that scope/runtime reads and fills, for CUDA 11, 12 and 13 where they differ. Error codes, small
// enumerations and the CUDA 12 device properties are those of our own CUDA headers (scope/image/include/tilescope).
// Guarantees: sizes are asserted here; tests/runtime compares every offset with NVIDIA's headers where those are
// present. Does not model: structures of calls that are not supported (unsupported.inc).
#pragma once

#include <cstddef>
#include <cstdint>

#include "scope/image/include/tilescope/device_attributes.h"
#include "scope/image/include/tilescope/device_prop.h"
#include "scope/image/include/tilescope/enums.h"
#include "scope/image/include/tilescope/errors.h"

#define TILESCOPE_API extern "C" __attribute__((visibility("default")))
// Another exported name of a function of this file.
#define TILESCOPE_ALIAS(name, target) \
    extern "C" __attribute__((visibility("default"), alias(#target))) decltype(target) name

namespace tilescope::abi {

struct Dim {
    unsigned x, y, z;
};

struct Extent {
    std::size_t width, height, depth;
};

struct Position {
    std::size_t x, y, z;
};

struct PitchedPointer {
    void* ptr;
    std::size_t pitch, xsize, ysize;
};

struct Memcpy3D {
    void* src_array;
    Position src_pos;
    PitchedPointer src_ptr;
    void* dst_array;
    Position dst_pos;
    PitchedPointer dst_ptr;
    Extent extent;
    cudaMemcpyKind kind;
};
static_assert(sizeof(Memcpy3D) == 160);

struct Memcpy3DPeer {
    void* src_array;
    Position src_pos;
    PitchedPointer src_ptr;
    int src_device;
    void* dst_array;
    Position dst_pos;
    PitchedPointer dst_ptr;
    int dst_device;
    Extent extent;
};
static_assert(sizeof(Memcpy3DPeer) == 168);

// CUDA 11 ends after preferredShmemCarveout.
struct FunctionAttributes {
    std::size_t shared_size, const_size, local_size;
    int max_threads_per_block;
    int num_regs;
    int ptx_version;
    int binary_version;
    int cache_mode_ca;
    int max_dynamic_shared_size;
    int preferred_carveout;
    int cluster_dim_must_be_set;
    int required_cluster_width, required_cluster_height, required_cluster_depth;
    int cluster_scheduling_policy;
    int non_portable_cluster_size_allowed;
    int reserved[16];
};
static_assert(sizeof(FunctionAttributes) == 144);
inline constexpr std::size_t kFunctionAttributes11 = offsetof(FunctionAttributes, cluster_dim_must_be_set);

// CUDA 11 and 12 end after host_pointer.
struct PointerAttributes {
    cudaMemoryType type;
    int device;
    void* device_pointer;
    void* host_pointer;
    long reserved[8];
};
static_assert(sizeof(PointerAttributes) == 88);
inline constexpr std::size_t kPointerAttributes12 = offsetof(PointerAttributes, reserved);

struct MemLocation {
    int type;  // 0 none, 1 device, 2 host, 3 host NUMA node, 4 the caller's NUMA node
    int id;
};
static_assert(sizeof(MemLocation) == 8);

struct ChannelFormat {
    int x, y, z, w;
    cudaChannelFormatKind kind;
};
static_assert(sizeof(ChannelFormat) == 20);

struct AccessPolicyWindow {
    void* base;
    std::size_t bytes;
    float hit_ratio;
    int hit_property, miss_property;  // 0 normal, 1 streaming, 2 persisting
};
static_assert(sizeof(AccessPolicyWindow) == 32);

// cudaLaunchAttributeValue, of launches and of streams.
union AttributeValue {
    char bytes[64];
    int number;
    struct {
        unsigned x, y, z;
    } dim;
    AccessPolicyWindow window;
};
static_assert(sizeof(AttributeValue) == 64);

struct LaunchAttribute {
    int id;
    int padding;
    AttributeValue value;
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {
    Dim grid, block;
    std::size_t dynamic_shared;
    void* stream;
    LaunchAttribute* attributes;
    unsigned attribute_count;
};
static_assert(sizeof(LaunchConfig) == 56);

// cudaDeviceProp of CUDA 13. That of CUDA 12 is ::cudaDeviceProp; CUDA 11's is its first 728 bytes.
struct DeviceProperties13 {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    std::size_t totalConstMem;
    int major, minor;
    std::size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3],
        maxTexture2DGather[2];
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
    int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    std::size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
        timelineSemaphoreInteropSupported;
    int memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported;
    int reserved[56];
};
static_assert(sizeof(DeviceProperties13) == 1008);
inline constexpr std::size_t kDeviceProperties11 = offsetof(cudaDeviceProp, hostRegisterSupported);
static_assert(kDeviceProperties11 == 728);

}  // namespace tilescope::abi
