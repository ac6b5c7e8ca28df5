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
