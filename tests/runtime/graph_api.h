// The calls about graphs and captures in the form of CUDA 13, in the tests' own binary terms.
#pragma once

#include "scope/runtime/cudart/graph_abi.h"
#include "tests/runtime/api.h"

namespace tilescope::runtime {

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's own, which programs call.
extern "C" {
cudaError cudaStreamCreateWithFlags(void**, unsigned);
cudaError cudaStreamWaitEvent(void*, void*, unsigned);
cudaError cudaStreamQuery(void*);
cudaError cudaStreamAddCallback(void*, void (*)(void*, cudaError, void*), void*, unsigned);
cudaError cudaEventQuery(void*);
cudaError cudaEventSynchronize(void*);
cudaError cudaEventRecordWithFlags(void*, void*, unsigned);
cudaError cudaMemsetAsync(void*, int, std::size_t, void*);
cudaError cudaMemcpyToSymbolAsync(const void*, const void*, std::size_t, std::size_t, cudaMemcpyKind, void*);

cudaError cudaStreamBeginCapture(void*, abi::CaptureMode);
cudaError cudaStreamBeginCaptureToGraph(void*, void*, void* const*, const abi::EdgeData*, std::size_t,
                                        abi::CaptureMode);
cudaError cudaStreamEndCapture(void*, void**);
cudaError cudaStreamIsCapturing(void*, abi::CaptureStatus*);
cudaError cudaStreamGetCaptureInfo(void*, abi::CaptureStatus*, unsigned long long*, void**, void* const**,
                                   const abi::EdgeData**, std::size_t*);
cudaError cudaStreamUpdateCaptureDependencies(void*, void* const*, const abi::EdgeData*, std::size_t, unsigned);
cudaError cudaThreadExchangeStreamCaptureMode(abi::CaptureMode*);

cudaError cudaGraphDestroy(void*);
cudaError cudaGraphClone(void**, void*);
cudaError cudaGraphNodeFindInClone(void**, void*, void*);
cudaError cudaGraphGetNodes(void*, void**, std::size_t*);
cudaError cudaGraphGetRootNodes(void*, void**, std::size_t*);
cudaError cudaGraphGetEdges(void*, void**, void**, abi::EdgeData*, std::size_t*);
cudaError cudaGraphNodeGetDependencies(void*, void**, abi::EdgeData*, std::size_t*);
cudaError cudaGraphNodeGetDependentNodes(void*, void**, abi::EdgeData*, std::size_t*);
cudaError cudaGraphNodeGetType(void*, abi::NodeType*);
cudaError cudaGraphAddDependencies(void*, void* const*, void* const*, const abi::EdgeData*, std::size_t);
cudaError cudaGraphRemoveDependencies(void*, void* const*, void* const*, const abi::EdgeData*, std::size_t);
cudaError cudaGraphDestroyNode(void*);
cudaError cudaGraphDebugDotPrint(void*, const char*, unsigned);
cudaError cudaGraphAddEmptyNode(void**, void*, void* const*, std::size_t);
cudaError cudaGraphAddKernelNode(void**, void*, void* const*, std::size_t, const abi::KernelNode*);
cudaError cudaGraphAddMemcpyNode1D(void**, void*, void* const*, std::size_t, void*, const void*, std::size_t,
                                   cudaMemcpyKind);
cudaError cudaGraphAddMemsetNode(void**, void*, void* const*, std::size_t, const abi::SetNode*);
cudaError cudaGraphAddHostNode(void**, void*, void* const*, std::size_t, const abi::HostNode*);
cudaError cudaGraphAddChildGraphNode(void**, void*, void* const*, std::size_t, void*);
cudaError cudaGraphAddEventRecordNode(void**, void*, void* const*, std::size_t, void*);
cudaError cudaGraphAddNode(void**, void*, void* const*, const abi::EdgeData*, std::size_t, const abi::AnyNode*);
cudaError cudaGraphChildGraphNodeGetGraph(void*, void**);
cudaError cudaGraphKernelNodeGetParams(void*, abi::KernelNode*);
cudaError cudaGraphKernelNodeSetParams(void*, const abi::KernelNode*);
cudaError cudaGraphMemcpyNodeGetParams(void*, abi::Memcpy3D*);
cudaError cudaGraphKernelNodeGetAttribute(void*, int, abi::AttributeValue*);
cudaError cudaGraphKernelNodeSetAttribute(void*, int, const abi::AttributeValue*);
cudaError cudaGraphKernelNodeCopyAttributes(void*, void*);
cudaError cudaStreamCreateWithPriority(void**, unsigned, int);
cudaError cudaGraphInstantiate(void**, void*, unsigned long long);
cudaError cudaGraphInstantiateWithParams(void**, void*, abi::InstantiateParameters*);
cudaError cudaGraphExecGetFlags(void*, unsigned long long*);
cudaError cudaGraphExecDestroy(void*);
cudaError cudaGraphLaunch(void*, void*);
cudaError cudaGraphUpload(void*, void*);
cudaError cudaGraphExecUpdate(void*, void*, abi::UpdateInfo*);
cudaError cudaGraphExecKernelNodeSetParams(void*, void*, const abi::KernelNode*);
cudaError cudaGraphExecMemcpyNodeSetParams1D(void*, void*, void*, const void*, std::size_t, cudaMemcpyKind);
cudaError cudaGraphExecMemsetNodeSetParams(void*, void*, const abi::SetNode*);
cudaError cudaGraphExecChildGraphNodeSetParams(void*, void*, void*);
cudaError cudaGraphNodeSetEnabled(void*, void*, unsigned);
cudaError cudaGraphNodeGetEnabled(void*, void*, unsigned*);
}
// NOLINTEND(readability-identifier-naming)

}  // namespace tilescope::runtime
