// The calls about graphs whose parameters differ between CUDA 11, 12 and 13; built once for each library.
//
// In messages all forms of a call have its plain name, which is what programs write.
// From 12.3 on there are forms with data of edges under names of their own, and in CUDA 13 those names are gone and the
// old ones have it.
#include <algorithm>

#include "scope/runtime/cudart/graph_edges.h"
#include "scope/runtime/cudart/per_thread.h"

namespace tilescope::runtime {

#if TILESCOPE_CUDART == 11
TILESCOPE_API cudaError cudaGraphInstantiate(void** exec, void* graph, void** error_node, char* log,
                                             std::size_t log_bytes) {
    if (error_node != nullptr) *error_node = nullptr;
    if (log != nullptr) std::fill_n(log, std::min<std::size_t>(log_bytes, 1), '\0');
    return instantiate(exec, graph, 0);
}
TILESCOPE_API cudaError cudaGraphExecUpdate(void* exec, void* graph, void** error_node, abi::UpdateResult* result) {
    abi::UpdateInfo info{};
    const cudaError error = update_exec(exec, graph, info);
    if (error_node != nullptr) *error_node = info.error_node;
    if (result != nullptr) *result = info.result;
    return error;
}
#else
TILESCOPE_API cudaError cudaGraphInstantiate(void** exec, void* graph, unsigned long long flags) {
    return instantiate(exec, graph, flags);
}
TILESCOPE_API cudaError cudaGraphExecUpdate(void* exec, void* graph, abi::UpdateInfo* out) {
    abi::UpdateInfo info{};
    const cudaError error = update_exec(exec, graph, info);
    if (out != nullptr) *out = info;
    return error;
}
#endif

TILESCOPE_API cudaError cudaGraphAddDependencies_v2(void* graph, void* const* from, void* const* to,
                                                    const abi::EdgeData* data, std::size_t count) {
    return add_dependencies(graph, from, to, data, count, "cudaGraphAddDependencies");
}
TILESCOPE_API cudaError cudaGraphRemoveDependencies_v2(void* graph, void* const* from, void* const* to,
                                                       const abi::EdgeData*, std::size_t count) {
    return remove_dependencies(graph, from, to, count, "cudaGraphRemoveDependencies");
}
TILESCOPE_API cudaError cudaGraphGetEdges_v2(void* graph, void** from, void** to, abi::EdgeData* data,
                                             std::size_t* count) {
    return give_edges(graph, from, to, data, count, "cudaGraphGetEdges");
}
TILESCOPE_API cudaError cudaGraphNodeGetDependencies_v2(void* node, void** nodes, abi::EdgeData* data,
                                                        std::size_t* count) {
    return give_neighbours(node, true, nodes, data, count, "cudaGraphNodeGetDependencies");
}
TILESCOPE_API cudaError cudaGraphNodeGetDependentNodes_v2(void* node, void** nodes, abi::EdgeData* data,
                                                          std::size_t* count) {
    return give_neighbours(node, false, nodes, data, count, "cudaGraphNodeGetDependentNodes");
}
TILESCOPE_API cudaError cudaGraphAddNode_v2(void** out, void* graph, void* const* before, const abi::EdgeData* data,
                                            std::size_t count, const abi::AnyNode* said) {
    return add_any_node(out, graph, before, data, count, said, "cudaGraphAddNode");
}
TILESCOPE_API cudaError cudaStreamGetCaptureInfo_v2(void* stream, abi::CaptureStatus* state, unsigned long long* id,
                                                    void** graph, void* const** before, std::size_t* count) {
    return capture_info(stream, state, id, graph, before, count, "cudaStreamGetCaptureInfo");
}
TILESCOPE_API cudaError cudaStreamGetCaptureInfo_v3(void* stream, abi::CaptureStatus* state, unsigned long long* id,
                                                    void** graph, void* const** before, const abi::EdgeData** data,
                                                    std::size_t* count) {
    // All edges are ordinary ones.
    if (data != nullptr) *data = nullptr;
    return capture_info(stream, state, id, graph, before, count, "cudaStreamGetCaptureInfo");
}
TILESCOPE_API cudaError cudaStreamUpdateCaptureDependencies_v2(void* stream, void* const* nodes,
                                                               const abi::EdgeData* data, std::size_t count,
                                                               unsigned flags) {
    return change_capture(stream, nodes, data, count, flags, "cudaStreamUpdateCaptureDependencies");
}

#if TILESCOPE_CUDART == 13
TILESCOPE_ALIAS(cudaGraphAddDependencies, cudaGraphAddDependencies_v2);
TILESCOPE_ALIAS(cudaGraphRemoveDependencies, cudaGraphRemoveDependencies_v2);
TILESCOPE_ALIAS(cudaGraphGetEdges, cudaGraphGetEdges_v2);
TILESCOPE_ALIAS(cudaGraphNodeGetDependencies, cudaGraphNodeGetDependencies_v2);
TILESCOPE_ALIAS(cudaGraphNodeGetDependentNodes, cudaGraphNodeGetDependentNodes_v2);
TILESCOPE_ALIAS(cudaGraphAddNode, cudaGraphAddNode_v2);
TILESCOPE_ALIAS(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_v3);
TILESCOPE_ALIAS(cudaStreamUpdateCaptureDependencies, cudaStreamUpdateCaptureDependencies_v2);
#else
TILESCOPE_API cudaError cudaGraphAddDependencies(void* graph, void* const* from, void* const* to, std::size_t count) {
    return add_dependencies(graph, from, to, nullptr, count);
}
TILESCOPE_API cudaError cudaGraphRemoveDependencies(void* graph, void* const* from, void* const* to,
                                                    std::size_t count) {
    return remove_dependencies(graph, from, to, count);
}
TILESCOPE_API cudaError cudaGraphGetEdges(void* graph, void** from, void** to, std::size_t* count) {
    return give_edges(graph, from, to, nullptr, count);
}
TILESCOPE_API cudaError cudaGraphNodeGetDependencies(void* node, void** nodes, std::size_t* count) {
    return give_neighbours(node, true, nodes, nullptr, count);
}
TILESCOPE_API cudaError cudaGraphNodeGetDependentNodes(void* node, void** nodes, std::size_t* count) {
    return give_neighbours(node, false, nodes, nullptr, count);
}
TILESCOPE_API cudaError cudaGraphAddNode(void** out, void* graph, void* const* before, std::size_t count,
                                         const abi::AnyNode* said) {
    return add_any_node(out, graph, before, nullptr, count, said);
}
TILESCOPE_API cudaError cudaStreamGetCaptureInfo(void* stream, abi::CaptureStatus* state, unsigned long long* id) {
    return capture_info(stream, state, id, nullptr, nullptr, nullptr);
}
TILESCOPE_API cudaError cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes, std::size_t count,
                                                            unsigned flags) {
    return change_capture(stream, nodes, nullptr, count, flags);
}
#endif

TILESCOPE_PER_THREAD(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);
TILESCOPE_PER_THREAD(cudaStreamGetCaptureInfo_v2_ptsz, cudaStreamGetCaptureInfo_v2);
TILESCOPE_PER_THREAD(cudaStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_v3);
TILESCOPE_PER_THREAD(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);
TILESCOPE_PER_THREAD(cudaStreamUpdateCaptureDependencies_v2_ptsz, cudaStreamUpdateCaptureDependencies_v2);

}  // namespace tilescope::runtime
