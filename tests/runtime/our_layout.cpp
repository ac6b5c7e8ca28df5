#include "scope/runtime/cudart/graph_abi.h"
#include "tests/runtime/nvidia_layout.h"

namespace ours = tilescope::abi;

#define OFFSET(name, type, field) layout[name] = offsetof(type, field)

namespace {

template <class Properties>
void add_properties(Layout& layout) {
    layout["properties"] = sizeof(Properties);
    OFFSET("properties.total", Properties, totalGlobalMem);
    OFFSET("properties.pitch", Properties, memPitch);
    OFFSET("properties.major", Properties, major);
    OFFSET("properties.sms", Properties, multiProcessorCount);
    OFFSET("properties.texture3d", Properties, maxTexture3D);
    OFFSET("properties.surface", Properties, surfaceAlignment);
    OFFSET("properties.l2", Properties, l2CacheSize);
    OFFSET("properties.shared_sm", Properties, sharedMemPerMultiprocessor);
    OFFSET("properties.optin", Properties, sharedMemPerBlockOptin);
    OFFSET("properties.reserved_shared", Properties, reservedSharedMemPerBlock);
    OFFSET("properties.cluster", Properties, clusterLaunch);
}

}  // namespace

// TILESCOPE_NVIDIA_MAJOR: the release that nvidia_layout() speaks of, 12 or 13.
Layout our_layout() {
    Layout layout;
#define TILESCOPE_ERROR(code, text) layout[#code] = code;
#include "scope/runtime/cudart/error_table.inc"
#undef TILESCOPE_ERROR
    layout["version"] = TILESCOPE_NVIDIA_MAJOR;
    layout["extent"] = sizeof(ours::Extent);
    layout["memcpy3d"] = sizeof(ours::Memcpy3D);
    OFFSET("memcpy3d.src_ptr", ours::Memcpy3D, src_ptr);
    OFFSET("memcpy3d.dst_pos", ours::Memcpy3D, dst_pos);
    OFFSET("memcpy3d.extent", ours::Memcpy3D, extent);
    OFFSET("memcpy3d.kind", ours::Memcpy3D, kind);
    layout["memcpy3dpeer"] = sizeof(ours::Memcpy3DPeer);
    OFFSET("memcpy3dpeer.src_device", ours::Memcpy3DPeer, src_device);
    OFFSET("memcpy3dpeer.dst_device", ours::Memcpy3DPeer, dst_device);
    OFFSET("memcpy3dpeer.extent", ours::Memcpy3DPeer, extent);
    OFFSET("function.max_dynamic", ours::FunctionAttributes, max_dynamic_shared_size);
    OFFSET("function.carveout", ours::FunctionAttributes, preferred_carveout);
    OFFSET("function.regs", ours::FunctionAttributes, num_regs);
    layout["pointer"] = TILESCOPE_NVIDIA_MAJOR >= 13 ? sizeof(ours::PointerAttributes) : ours::kPointerAttributes12;
    OFFSET("pointer.host", ours::PointerAttributes, host_pointer);
    layout["launch.config"] = sizeof(ours::LaunchConfig);
    OFFSET("launch.config.stream", ours::LaunchConfig, stream);
    OFFSET("launch.config.count", ours::LaunchConfig, attribute_count);
    layout["launch.attribute"] = sizeof(ours::LaunchAttribute);
    OFFSET("launch.attribute.value", ours::LaunchAttribute, value);
    layout["launch.window"] = sizeof(ours::AccessPolicyWindow);
    OFFSET("launch.window.bytes", ours::AccessPolicyWindow, bytes);
    OFFSET("launch.window.ratio", ours::AccessPolicyWindow, hit_ratio);
    OFFSET("launch.window.miss", ours::AccessPolicyWindow, miss_property);
    layout["launch.cluster"] = 4;
    layout["launch.priority"] = 8;
    layout["graph.kernel"] = sizeof(ours::KernelNode);
    OFFSET("graph.kernel.shared", ours::KernelNode, dynamic_shared);
    OFFSET("graph.kernel.extra", ours::KernelNode, extra);
    layout["graph.set"] = sizeof(ours::SetNode);
    OFFSET("graph.set.element", ours::SetNode, element_bytes);
    OFFSET("graph.set.width", ours::SetNode, width);
    layout["graph.host"] = sizeof(ours::HostNode);
    layout["graph.copy"] = sizeof(ours::CopyNode);
    OFFSET("graph.copy.copy", ours::CopyNode, copy);
    layout["graph.any"] = sizeof(ours::AnyNode);
    OFFSET("graph.any.kernel", ours::AnyNode, kernel);
    layout["graph.edge"] = sizeof(ours::EdgeData);
    OFFSET("graph.edge.type", ours::EdgeData, type);
    layout["graph.instantiate"] = sizeof(ours::InstantiateParameters);
    OFFSET("graph.instantiate.result", ours::InstantiateParameters, result);
    layout["graph.update"] = sizeof(ours::UpdateInfo);
    OFFSET("graph.update.node", ours::UpdateInfo, error_node);
    layout["graph.type.record"] = static_cast<std::size_t>(ours::NodeType::kRecordEvent);
    layout["graph.type.conditional"] = static_cast<std::size_t>(ours::NodeType::kConditional);
    layout["graph.updated.type"] = static_cast<std::size_t>(ours::UpdateResult::kTypeChanged);
    layout["graph.flag.device"] = ours::kDeviceLaunch;
    layout["capture.relaxed"] = static_cast<std::size_t>(ours::CaptureMode::kRelaxed);
    layout["capture.invalidated"] = static_cast<std::size_t>(ours::CaptureStatus::kInvalidated);
    layout["channel"] = sizeof(ours::ChannelFormat);
    layout["attribute.optin"] = cudaDevAttrMaxSharedMemoryPerBlockOptin;
    layout["attribute.cluster"] = cudaDevAttrClusterLaunch;
    layout["attribute.pools"] = cudaDevAttrMemoryPoolsSupported;
    layout["attribute.reserved"] = cudaDevAttrReservedSharedMemoryPerBlock;
#if TILESCOPE_NVIDIA_MAJOR >= 13
    add_properties<ours::DeviceProperties13>(layout);
#else
    add_properties<cudaDeviceProp>(layout);
#endif
    return layout;
}
