// The C++ overloads of the calls about graphs: the forms of earlier releases, and symbols by reference.
#pragma once

#include "../cuda_runtime_api.h"

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* errorNode, char* log,
                                        size_t logSize) {
    if (errorNode != nullptr) *errorNode = nullptr;
    if (log != nullptr && logSize != 0) *log = '\0';
    return cudaGraphInstantiate(exec, graph, 0ULL);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* errorNode,
                                       enum cudaGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    if (errorNode != nullptr) *errorNode = info.errorNode;
    if (result != nullptr) *result = info.result;
    return error;
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, size_t numDependencies,
                                                  const T& symbol, const void* src, size_t count, size_t offset,
                                                  cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, numDependencies,
                                          reinterpret_cast<const void*>(&symbol), src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* dependencies, size_t numDependencies,
                                                    void* dst, const T& symbol, size_t count, size_t offset,
                                                    cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, numDependencies, dst,
                                            reinterpret_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol, const void* src,
                                                        size_t count, size_t offset, cudaMemcpyKind kind) {
    return cudaGraphMemcpyNodeSetParamsToSymbol(node, reinterpret_cast<const void*>(&symbol), src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const T& symbol,
                                                          size_t count, size_t offset, cudaMemcpyKind kind) {
    return cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, reinterpret_cast<const void*>(&symbol), count, offset,
                                                  kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const T& symbol,
                                                            const void* src, size_t count, size_t offset,
                                                            cudaMemcpyKind kind) {
    return cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, reinterpret_cast<const void*>(&symbol), src, count,
                                                    offset, kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* dst,
                                                              const T& symbol, size_t count, size_t offset,
                                                              cudaMemcpyKind kind) {
    return cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, reinterpret_cast<const void*>(&symbol), count,
                                                      offset, kind);
}

// As CUDA 13 spells them, with data of edges.
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* edgeData, size_t* numEdges) {
    return cudaGraphGetEdges_v2(graph, from, to, edgeData, numEdges);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                cudaGraphEdgeData* edgeData, size_t* numDependencies) {
    return cudaGraphNodeGetDependencies_v2(node, dependencies, edgeData, numDependencies);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependent,
                                                  cudaGraphEdgeData* edgeData, size_t* numDependent) {
    return cudaGraphNodeGetDependentNodes_v2(node, dependent, edgeData, numDependent);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            const cudaGraphEdgeData* edgeData, size_t numDependencies) {
    return cudaGraphAddDependencies_v2(graph, from, to, edgeData, numDependencies);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, const cudaGraphEdgeData* edgeData,
                                               size_t numDependencies) {
    return cudaGraphRemoveDependencies_v2(graph, from, to, edgeData, numDependencies);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    const cudaGraphEdgeData* dependencyData, size_t numDependencies,
                                    struct cudaGraphNodeParams* params) {
    return cudaGraphAddNode_v2(node, graph, dependencies, dependencyData, numDependencies, params);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                       const cudaGraphEdgeData* dependencyData, size_t numDependencies,
                                                       unsigned int flags) {
    return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, dependencyData, numDependencies, flags);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edgeData,
                                            size_t* numDependencies) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edgeData, numDependencies);
}
