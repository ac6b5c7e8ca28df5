#include "scope/runtime/cudart/device_attributes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilescope::runtime {
namespace {

int clamp_int(std::uint64_t value) {
    return static_cast<int>(std::min<std::uint64_t>(value, std::numeric_limits<int>::max()));
}

// Alike on every device since compute capability 7.0.
constexpr struct {
    int attribute, value;
} kCommon[] = {
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, 0},
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {44, 1},  // textures can be gathered from
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {cudaDevAttrMaxTextureCubemapWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxSurface1DWidth, 32768},
    {cudaDevAttrMaxSurface2DWidth, 131072},
    {cudaDevAttrMaxSurface2DHeight, 65536},
    {cudaDevAttrMaxSurface3DWidth, 16384},
    {cudaDevAttrMaxSurface3DHeight, 16384},
    {cudaDevAttrMaxSurface3DDepth, 16384},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    {cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    {cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {102, 1},  // virtual memory management
    {122, 1},  // streams wait for words of 64 bits and write them
    {123, 1},  // and wait for NOR
    {cudaDevAttrNumaId, -1},
};

int ratio_of_single_to_double(const models::Device& device) {
    return device.peak.fp64 > 0 ? static_cast<int>(std::lround(device.peak.fp32 / device.peak.fp64)) : 0;
}

std::optional<int> figure(const models::Device& device, int attribute) {
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: return clamp_int(device.max_threads_per_block);
        case cudaDevAttrMaxBlockDimX: return clamp_int(device.max_block[0]);
        case cudaDevAttrMaxBlockDimY: return clamp_int(device.max_block[1]);
        case cudaDevAttrMaxBlockDimZ: return clamp_int(device.max_block[2]);
        case cudaDevAttrMaxGridDimX: return clamp_int(device.max_grid[0]);
        case cudaDevAttrMaxGridDimY: return clamp_int(device.max_grid[1]);
        case cudaDevAttrMaxGridDimZ: return clamp_int(device.max_grid[2]);
        case cudaDevAttrMaxSharedMemoryPerBlock: return clamp_int(device.shared_bytes_per_block);
        case cudaDevAttrTotalConstantMemory: return clamp_int(device.constant_bytes);
        case cudaDevAttrWarpSize: return clamp_int(device.warp_size);
        case cudaDevAttrMaxPitch: return clamp_int(device.max_pitch_bytes);
        case cudaDevAttrMaxRegistersPerBlock: return clamp_int(device.registers_per_block);
        case cudaDevAttrClockRate: return clamp_int(device.clock_khz);
        case cudaDevAttrTextureAlignment: return clamp_int(device.texture_alignment);
        case cudaDevAttrMultiProcessorCount: return clamp_int(device.sm_count);
        case cudaDevAttrSurfaceAlignment: return clamp_int(device.surface_alignment);
        case cudaDevAttrMemoryClockRate: return clamp_int(device.memory_clock_khz);
        case cudaDevAttrGlobalMemoryBusWidth: return clamp_int(device.memory_bus_bits);
        case cudaDevAttrL2CacheSize: return clamp_int(device.l2_bytes);
        case cudaDevAttrMaxThreadsPerMultiProcessor: return clamp_int(device.max_threads_per_sm);
        case cudaDevAttrAsyncEngineCount: return clamp_int(device.async_engines);
        case cudaDevAttrTexturePitchAlignment: return clamp_int(device.texture_pitch_alignment);
        case cudaDevAttrComputeCapabilityMajor: return clamp_int(device.compute_major);
        case cudaDevAttrComputeCapabilityMinor: return clamp_int(device.compute_minor);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return clamp_int(device.shared_bytes_per_sm);
        case cudaDevAttrMaxRegistersPerMultiprocessor: return clamp_int(device.registers_per_sm);
        case cudaDevAttrSingleToDoublePrecisionPerfRatio: return ratio_of_single_to_double(device);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: return clamp_int(device.shared_bytes_per_block_optin);
        case cudaDevAttrMaxBlocksPerMultiprocessor: return clamp_int(device.max_blocks_per_sm);
        case cudaDevAttrMaxPersistingL2CacheSize: return clamp_int(device.l2_persisting_bytes);
        case cudaDevAttrMaxAccessPolicyWindowSize: return clamp_int(device.access_policy_window_bytes);
        case cudaDevAttrReservedSharedMemoryPerBlock: return clamp_int(device.shared_bytes_reserved);
        case cudaDevAttrClusterLaunch: return 0;  // clusters of blocks are not supported yet
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<int> device_attribute(const models::Device& device, int attribute) {
    constexpr int kLast = 147;  // of CUDA 13.0
    if (attribute < 1 || attribute > kLast) return std::nullopt;
    if (const auto known = figure(device, attribute)) return known;
    for (const auto& row : kCommon) {
        if (row.attribute == attribute) return row.value;
    }
    return 0;
}

}  // namespace tilescope::runtime
