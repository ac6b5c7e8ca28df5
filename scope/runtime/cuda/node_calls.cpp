// Nodes of graphs: added, and changed in executable graphs.
#include "scope/runtime/cuda/graph_guard.h"
#include "scope/runtime/cuda/node_work.h"
#include "scope/runtime/service/graphs/graph_nodes.h"

namespace tilescope::runtime::driver {
namespace {

Status event_from(Runtime& runtime, void* event, bool records, Work& work) {
    return event == nullptr ? Status::kInvalidValue : event_work(runtime, event, records, work);
}

// make(Runtime&, Work&) says what the node does.
template <class Make>
Code add(void** node, void* graph, void* const* before, std::size_t count, Make&& make,
         const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) {
            return add_node(
                graph, before, count, [&](Work& work) { return make(runtime, work); }, node);
        },
        name, from);
}

template <class Make>
Code change(void* exec, void* node, Make&& make, const char* name = __builtin_FUNCTION(),
            const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) {
            return change_in_exec(runtime, exec, node, [&](Work& work) { return make(runtime, work); });
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuGraphAddKernelNode_v2(void** node, void* graph, void* const* before, std::size_t count,
                                              const KernelNode* said) {
    return add(node, graph, before, count,
               [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphAddMemcpyNode(void** node, void* graph, void* const* before, std::size_t count,
                                           const Memcpy3D* said, void*) {
    return add(node, graph, before, count,
               [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphAddMemsetNode(void** node, void* graph, void* const* before, std::size_t count,
                                           const abi::SetNode* said, void*) {
    return add(node, graph, before, count,
               [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphAddHostNode(void** node, void* graph, void* const* before, std::size_t count,
                                         const abi::HostNode* said) {
    return add(node, graph, before, count, [&](Runtime&, Work& work) { return work_from(said, work); });
}
TILESCOPE_DRIVER Code cuGraphAddEmptyNode(void** node, void* graph, void* const* before, std::size_t count) {
    return add(node, graph, before, count, [](Runtime&, Work& work) {
        work = EmptyWork{};
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuGraphAddChildGraphNode(void** node, void* graph, void* const* before, std::size_t count,
                                               void* child) {
    return add(node, graph, before, count, [&](Runtime&, Work& work) { return child_work(child, work); });
}
TILESCOPE_DRIVER Code cuGraphAddEventRecordNode(void** node, void* graph, void* const* before, std::size_t count,
                                                void* event) {
    return add(node, graph, before, count,
               [&](Runtime& runtime, Work& work) { return event_from(runtime, event, true, work); });
}
TILESCOPE_DRIVER Code cuGraphAddEventWaitNode(void** node, void* graph, void* const* before, std::size_t count,
                                              void* event) {
    return add(node, graph, before, count,
               [&](Runtime& runtime, Work& work) { return event_from(runtime, event, false, work); });
}

TILESCOPE_DRIVER Code cuGraphExecKernelNodeSetParams_v2(void* exec, void* node, const KernelNode* said) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphExecMemcpyNodeSetParams(void* exec, void* node, const Memcpy3D* said, void*) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphExecMemsetNodeSetParams(void* exec, void* node, const abi::SetNode* said, void*) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphExecHostNodeSetParams(void* exec, void* node, const abi::HostNode* said) {
    return change(exec, node, [&](Runtime&, Work& work) { return work_from(said, work); });
}

std::span<const Entry> node_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuGraphAddKernelNode_v2),
        TILESCOPE_THERE(cuGraphAddMemcpyNode),
        TILESCOPE_THERE(cuGraphAddMemsetNode),
        TILESCOPE_THERE(cuGraphAddHostNode),
        TILESCOPE_THERE(cuGraphAddEmptyNode),
        TILESCOPE_THERE(cuGraphAddChildGraphNode),
        TILESCOPE_THERE(cuGraphAddEventRecordNode),
        TILESCOPE_THERE(cuGraphAddEventWaitNode),
        TILESCOPE_THERE(cuGraphExecKernelNodeSetParams_v2),
        TILESCOPE_THERE(cuGraphExecMemcpyNodeSetParams),
        TILESCOPE_THERE(cuGraphExecMemsetNodeSetParams),
        TILESCOPE_THERE(cuGraphExecHostNodeSetParams),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
