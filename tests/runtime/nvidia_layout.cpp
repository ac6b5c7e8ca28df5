// Built against NVIDIA's headers where they are installed.
#include "tests/runtime/nvidia_layout.h"

#include <cuda_runtime_api.h>

#define OFFSET(name, type, field) layout[name] = offsetof(type, field)

Layout nvidia_layout() {
    Layout layout;
#define TILESCOPE_ERROR(code, text) layout[#code] = code;
#include "scope/runtime/cudart/error_table.inc"
#undef TILESCOPE_ERROR
    layout["version"] = CUDART_VERSION / 1000;
    layout["extent"] = sizeof(cudaExtent);
    layout["memcpy3d"] = sizeof(cudaMemcpy3DParms);
    OFFSET("memcpy3d.src_ptr", cudaMemcpy3DParms, srcPtr);
    OFFSET("memcpy3d.dst_pos", cudaMemcpy3DParms, dstPos);
    OFFSET("memcpy3d.extent", cudaMemcpy3DParms, extent);
    OFFSET("memcpy3d.kind", cudaMemcpy3DParms, kind);
    layout["memcpy3dpeer"] = sizeof(cudaMemcpy3DPeerParms);
    OFFSET("memcpy3dpeer.src_device", cudaMemcpy3DPeerParms, srcDevice);
    OFFSET("memcpy3dpeer.dst_device", cudaMemcpy3DPeerParms, dstDevice);
    OFFSET("memcpy3dpeer.extent", cudaMemcpy3DPeerParms, extent);
    OFFSET("function.max_dynamic", cudaFuncAttributes, maxDynamicSharedSizeBytes);
    OFFSET("function.carveout", cudaFuncAttributes, preferredShmemCarveout);
    OFFSET("function.regs", cudaFuncAttributes, numRegs);
    layout["pointer"] = sizeof(cudaPointerAttributes);
    OFFSET("pointer.host", cudaPointerAttributes, hostPointer);
    layout["launch.config"] = sizeof(cudaLaunchConfig_t);
    OFFSET("launch.config.stream", cudaLaunchConfig_t, stream);
    OFFSET("launch.config.count", cudaLaunchConfig_t, numAttrs);
    layout["launch.attribute"] = sizeof(cudaLaunchAttribute);
    OFFSET("launch.attribute.value", cudaLaunchAttribute, val);
    layout["launch.window"] = sizeof(cudaAccessPolicyWindow);
    OFFSET("launch.window.bytes", cudaAccessPolicyWindow, num_bytes);
    OFFSET("launch.window.ratio", cudaAccessPolicyWindow, hitRatio);
    OFFSET("launch.window.miss", cudaAccessPolicyWindow, missProp);
    layout["launch.cluster"] = cudaLaunchAttributeClusterDimension;
    layout["launch.priority"] = cudaLaunchAttributePriority;
    layout["graph.kernel"] = sizeof(cudaKernelNodeParams);
    OFFSET("graph.kernel.shared", cudaKernelNodeParams, sharedMemBytes);
    OFFSET("graph.kernel.extra", cudaKernelNodeParams, extra);
    layout["graph.set"] = sizeof(cudaMemsetParams);
    OFFSET("graph.set.element", cudaMemsetParams, elementSize);
    OFFSET("graph.set.width", cudaMemsetParams, width);
    layout["graph.host"] = sizeof(cudaHostNodeParams);
    layout["graph.copy"] = sizeof(cudaMemcpyNodeParams);
    OFFSET("graph.copy.copy", cudaMemcpyNodeParams, copyParams);
    layout["graph.any"] = sizeof(cudaGraphNodeParams);
    OFFSET("graph.any.kernel", cudaGraphNodeParams, kernel);
    layout["graph.edge"] = sizeof(cudaGraphEdgeData);
    OFFSET("graph.edge.type", cudaGraphEdgeData, type);
    layout["graph.instantiate"] = sizeof(cudaGraphInstantiateParams);
    OFFSET("graph.instantiate.result", cudaGraphInstantiateParams, result_out);
    layout["graph.update"] = sizeof(cudaGraphExecUpdateResultInfo);
    OFFSET("graph.update.node", cudaGraphExecUpdateResultInfo, errorNode);
    layout["graph.type.record"] = cudaGraphNodeTypeEventRecord;
    layout["graph.type.conditional"] = cudaGraphNodeTypeConditional;
    layout["graph.updated.type"] = cudaGraphExecUpdateErrorNodeTypeChanged;
    layout["graph.flag.device"] = cudaGraphInstantiateFlagDeviceLaunch;
    layout["capture.relaxed"] = cudaStreamCaptureModeRelaxed;
    layout["capture.invalidated"] = cudaStreamCaptureStatusInvalidated;
    layout["channel"] = sizeof(cudaChannelFormatDesc);
    layout["attribute.optin"] = cudaDevAttrMaxSharedMemoryPerBlockOptin;
    layout["attribute.cluster"] = cudaDevAttrClusterLaunch;
    layout["attribute.pools"] = cudaDevAttrMemoryPoolsSupported;
    layout["attribute.reserved"] = cudaDevAttrReservedSharedMemoryPerBlock;
    layout["properties"] = sizeof(cudaDeviceProp);
    OFFSET("properties.total", cudaDeviceProp, totalGlobalMem);
    OFFSET("properties.pitch", cudaDeviceProp, memPitch);
    OFFSET("properties.major", cudaDeviceProp, major);
    OFFSET("properties.sms", cudaDeviceProp, multiProcessorCount);
    OFFSET("properties.texture3d", cudaDeviceProp, maxTexture3D);
    OFFSET("properties.surface", cudaDeviceProp, surfaceAlignment);
    OFFSET("properties.l2", cudaDeviceProp, l2CacheSize);
    OFFSET("properties.shared_sm", cudaDeviceProp, sharedMemPerMultiprocessor);
    OFFSET("properties.optin", cudaDeviceProp, sharedMemPerBlockOptin);
    OFFSET("properties.reserved_shared", cudaDeviceProp, reservedSharedMemPerBlock);
    OFFSET("properties.cluster", cudaDeviceProp, clusterLaunch);
    return layout;
}
