// Nodes of graphs: added, and changed in executable graphs.
#include "scope/runtime/cuda/copy_from.h"
#include "scope/runtime/cuda/graph_guard.h"
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/service/graphs/graph_nodes.h"

namespace tilescope::runtime::driver {
namespace {

Status kernel_work_from(Runtime& runtime, const KernelNode* said, Work& work) {
    if (said == nullptr) return Status::kInvalidValue;
    const void* const function = said->function != nullptr ? said->function : said->kernel;
    const KernelLaunch launch{.function = runtime.modules().by_handle(function),
                              .grid = {said->grid[0], said->grid[1], said->grid[2]},
                              .block = {said->block[0], said->block[1], said->block[2]},
                              .dynamic_shared = said->dynamic_shared};
    return kernel_work(runtime, launch, said->parameters, said->extra, work);
}

Status copy_work_from(Runtime& runtime, const Memcpy3D* said, Work& work) {
    Copy copy;
    const Status status = copy_from(said, copy);
    return status != Status::kOk ? status : copy_work(runtime, copy, work);
}

Status set_work_from(Runtime& runtime, const abi::SetNode* said, Work& work) {
    return said == nullptr ? Status::kInvalidValue : set_work(runtime, set_from(*said), work);
}

Status host_work_from(const abi::HostNode* said, Work& work) {
    return said == nullptr ? Status::kInvalidValue : host_work({said->function, said->data}, work);
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
               [&](Runtime& runtime, Work& work) { return kernel_work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphAddMemcpyNode(void** node, void* graph, void* const* before, std::size_t count,
                                           const Memcpy3D* said, void*) {
    return add(node, graph, before, count,
               [&](Runtime& runtime, Work& work) { return copy_work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphAddMemsetNode(void** node, void* graph, void* const* before, std::size_t count,
                                           const abi::SetNode* said, void*) {
    return add(node, graph, before, count,
               [&](Runtime& runtime, Work& work) { return set_work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphAddHostNode(void** node, void* graph, void* const* before, std::size_t count,
                                         const abi::HostNode* said) {
    return add(node, graph, before, count, [&](Runtime&, Work& work) { return host_work_from(said, work); });
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
               [&](Runtime& runtime, Work& work) { return event_work(runtime, event, true, work); });
}
TILESCOPE_DRIVER Code cuGraphAddEventWaitNode(void** node, void* graph, void* const* before, std::size_t count,
                                              void* event) {
    return add(node, graph, before, count,
               [&](Runtime& runtime, Work& work) { return event_work(runtime, event, false, work); });
}

TILESCOPE_DRIVER Code cuGraphExecKernelNodeSetParams_v2(void* exec, void* node, const KernelNode* said) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return kernel_work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphExecMemcpyNodeSetParams(void* exec, void* node, const Memcpy3D* said, void*) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return copy_work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphExecMemsetNodeSetParams(void* exec, void* node, const abi::SetNode* said, void*) {
    return change(exec, node, [&](Runtime& runtime, Work& work) { return set_work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphExecHostNodeSetParams(void* exec, void* node, const abi::HostNode* said) {
    return change(exec, node, [&](Runtime&, Work& work) { return host_work_from(said, work); });
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
