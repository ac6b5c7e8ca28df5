// The device properties, from the same source as the attributes.
#include <algorithm>
#include <cstring>

#include "scope/runtime/cudart/device_attributes.h"

namespace tilescope::runtime {
namespace {

// A name-based identifier: the same device always has the same one, and no two known devices share it.
void fill_uuid(const models::Device& device, cudaUUID_t& out) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char letter : device.name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    for (int i = 0; i < 16; ++i) out.bytes[i] = static_cast<char>(hash >> (i % 8 * 8) ^ (i < 8 ? 0 : 0xa5));
}

template <class Properties, class Attribute>
void fill_limits(Properties& out, Attribute&& of) {
    const auto set = [&](int* target, std::initializer_list<cudaDeviceAttr> attributes) {
        for (const cudaDeviceAttr attribute : attributes) *target++ = of(attribute);
    };
    set(&out.maxTexture1D, {cudaDevAttrMaxTexture1DWidth});
    set(&out.maxTexture1DMipmap, {cudaDevAttrMaxTexture1DMipmappedWidth});
    set(out.maxTexture2D, {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight});
    set(out.maxTexture2DMipmap, {cudaDevAttrMaxTexture2DMipmappedWidth, cudaDevAttrMaxTexture2DMipmappedHeight});
    set(out.maxTexture2DLinear,
        {cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight, cudaDevAttrMaxTexture2DLinearPitch});
    set(out.maxTexture2DGather, {cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight});
    set(out.maxTexture3D, {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth});
    set(out.maxTexture3DAlt,
        {cudaDevAttrMaxTexture3DWidthAlt, cudaDevAttrMaxTexture3DHeightAlt, cudaDevAttrMaxTexture3DDepthAlt});
    set(&out.maxTextureCubemap, {cudaDevAttrMaxTextureCubemapWidth});
    set(out.maxTexture1DLayered, {cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers});
    set(out.maxTexture2DLayered, {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
                                  cudaDevAttrMaxTexture2DLayeredLayers});
    set(out.maxTextureCubemapLayered,
        {cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredLayers});
    set(&out.maxSurface1D, {cudaDevAttrMaxSurface1DWidth});
    set(out.maxSurface2D, {cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight});
    set(out.maxSurface3D, {cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight, cudaDevAttrMaxSurface3DDepth});
    set(out.maxSurface1DLayered, {cudaDevAttrMaxSurface1DLayeredWidth, cudaDevAttrMaxSurface1DLayeredLayers});
    set(out.maxSurface2DLayered, {cudaDevAttrMaxSurface2DLayeredWidth, cudaDevAttrMaxSurface2DLayeredHeight,
                                  cudaDevAttrMaxSurface2DLayeredLayers});
    set(&out.maxSurfaceCubemap, {cudaDevAttrMaxSurfaceCubemapWidth});
    set(out.maxSurfaceCubemapLayered,
        {cudaDevAttrMaxSurfaceCubemapLayeredWidth, cudaDevAttrMaxSurfaceCubemapLayeredLayers});
}

template <class Properties, class Attribute>
void fill_features(Properties& out, Attribute&& of) {
    out.concurrentKernels = of(cudaDevAttrConcurrentKernels);
    out.asyncEngineCount = of(cudaDevAttrAsyncEngineCount);
    out.unifiedAddressing = of(cudaDevAttrUnifiedAddressing);
    out.canMapHostMemory = of(cudaDevAttrCanMapHostMemory);
    out.streamPrioritiesSupported = of(cudaDevAttrStreamPrioritiesSupported);
    out.globalL1CacheSupported = of(cudaDevAttrGlobalL1CacheSupported);
    out.localL1CacheSupported = of(cudaDevAttrLocalL1CacheSupported);
    out.managedMemory = of(cudaDevAttrManagedMemory);
    out.concurrentManagedAccess = of(cudaDevAttrConcurrentManagedAccess);
    out.computePreemptionSupported = of(cudaDevAttrComputePreemptionSupported);
    out.canUseHostPointerForRegisteredMem = of(cudaDevAttrCanUseHostPointerForRegisteredMem);
    out.cooperativeLaunch = of(cudaDevAttrCooperativeLaunch);
    out.hostRegisterSupported = of(cudaDevAttrHostRegisterSupported);
    out.hostRegisterReadOnlySupported = of(cudaDevAttrHostRegisterReadOnlySupported);
    out.memoryPoolsSupported = of(cudaDevAttrMemoryPoolsSupported);
    out.clusterLaunch = of(cudaDevAttrClusterLaunch);
    if constexpr (requires { out.deviceOverlap; }) {  // what CUDA 13 dropped
        out.deviceOverlap = of(cudaDevAttrGpuOverlap);
        out.clockRate = of(cudaDevAttrClockRate);
        out.memoryClockRate = of(cudaDevAttrMemoryClockRate);
        out.singleToDoublePrecisionPerfRatio = of(cudaDevAttrSingleToDoublePrecisionPerfRatio);
    }
    if constexpr (requires { out.deviceNumaId; }) out.deviceNumaId = of(cudaDevAttrNumaId);
}

}  // namespace

template <class Properties>
void fill_properties(const models::Device& device, Properties& out) {
    const auto of = [&](cudaDeviceAttr attribute) { return device_attribute(device, attribute).value_or(0); };
    std::memset(&out, 0, sizeof(out));
    const std::string& name = device.product.empty() ? device.name : device.product;
    std::memcpy(out.name, name.data(), std::min(name.size(), sizeof(out.name) - 1));
    fill_uuid(device, out.uuid);
    out.totalGlobalMem = device.dram_bytes;
    out.sharedMemPerBlock = device.shared_bytes_per_block;
    out.regsPerBlock = of(cudaDevAttrMaxRegistersPerBlock);
    out.warpSize = of(cudaDevAttrWarpSize);
    out.memPitch = device.max_pitch_bytes;
    out.maxThreadsPerBlock = of(cudaDevAttrMaxThreadsPerBlock);
    for (std::size_t i = 0; i < 3; ++i) {
        out.maxThreadsDim[i] = static_cast<int>(device.max_block[i]);
        out.maxGridSize[i] = static_cast<int>(device.max_grid[i]);
    }
    out.totalConstMem = device.constant_bytes;
    out.major = of(cudaDevAttrComputeCapabilityMajor);
    out.minor = of(cudaDevAttrComputeCapabilityMinor);
    out.textureAlignment = device.texture_alignment;
    out.texturePitchAlignment = device.texture_pitch_alignment;
    out.surfaceAlignment = device.surface_alignment;
    out.multiProcessorCount = of(cudaDevAttrMultiProcessorCount);
    out.memoryBusWidth = of(cudaDevAttrGlobalMemoryBusWidth);
    out.l2CacheSize = of(cudaDevAttrL2CacheSize);
    out.persistingL2CacheMaxSize = of(cudaDevAttrMaxPersistingL2CacheSize);
    out.accessPolicyMaxWindowSize = of(cudaDevAttrMaxAccessPolicyWindowSize);
    out.maxThreadsPerMultiProcessor = of(cudaDevAttrMaxThreadsPerMultiProcessor);
    out.maxBlocksPerMultiProcessor = of(cudaDevAttrMaxBlocksPerMultiprocessor);
    out.sharedMemPerMultiprocessor = device.shared_bytes_per_sm;
    out.sharedMemPerBlockOptin = device.shared_bytes_per_block_optin;
    out.reservedSharedMemPerBlock = device.shared_bytes_reserved;
    out.regsPerMultiprocessor = of(cudaDevAttrMaxRegistersPerMultiprocessor);
    fill_limits(out, of);
    fill_features(out, of);
}

template void fill_properties(const models::Device&, cudaDeviceProp&);
template void fill_properties(const models::Device&, abi::DeviceProperties13&);

}  // namespace tilescope::runtime
