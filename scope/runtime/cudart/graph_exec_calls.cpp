// Executable graphs: made, changed, launched.
#include "scope/runtime/cudart/graph_call.h"
#include "scope/runtime/cudart/graph_edges.h"
#include "scope/runtime/cudart/per_thread.h"
#include "scope/runtime/service/graphs/graph_nodes.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/streams/issue.h"

namespace tilescope::runtime {
namespace {

// What an update was refused for, in CUDA's word and in ours.
const char* reason_of(abi::UpdateResult result) {
    switch (result) {
        case abi::UpdateResult::kTopologyChanged:
            return "cudaGraphExecUpdateErrorTopologyChanged: the graph has other nodes or edges";
        case abi::UpdateResult::kTypeChanged:
            return "cudaGraphExecUpdateErrorNodeTypeChanged: a node is of another kind";
        case abi::UpdateResult::kParametersChanged:
            return "cudaGraphExecUpdateErrorParametersChanged: a copy or a set of other rows, or a copy between other "
                   "kinds of memory";
        case abi::UpdateResult::kAttributesChanged:
            return "cudaGraphExecUpdateErrorAttributesChanged: a kernel is cooperative in one of the graphs alone";
        default: return "cudaGraphExecUpdateError";
    }
}

Status concluded(const abi::UpdateInfo& info) {
    return info.result == abi::UpdateResult::kSuccess ? Status::kOk
                                                      : because(Status::kUpdateRefused, reason_of(info.result));
}

// The executable graph's copy of a node does something else of its kind from here on: make(Runtime&, Work&) says what.
template <class Make>
cudaError change_in_exec(void* exec, void* node, Make&& make, const char* name = __builtin_FUNCTION(),
                         const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) -> Status {
            const auto found = runtime.graphs().exec(exec);
            const Node* const known = Node::find(node);
            if (!found) return no_exec();
            if (known == nullptr) return no_node();
            const auto lock = found->lock();
            Node* const own = found->copy_of(*known);
            if (own == nullptr)
                return because(Status::kInvalidValue, "the executable graph was not made with this node");
            Work work;
            if (const Status status = make(runtime, work); status != Status::kOk) return status;
            if (work.index() != own->work.index()) return because(Status::kInvalidValue, "a node of another kind");
            if (const auto* child = std::get_if<ChildWork>(&work))
                return concluded(found->update(*std::get<ChildWork>(own->work).graph, *child->graph));
            if (auto* const launch = std::get_if<KernelLaunch>(&work))
                take_attributes(*launch, std::get<KernelLaunch>(own->work));
            if (const auto result = GraphExec::check_change(own->work, work); result != abi::UpdateResult::kSuccess)
                return because(Status::kInvalidValue, reason_of(result));
            own->work = std::move(work);
            own->asked = asked_here();
            return Status::kOk;
        },
        name, from);
}

// Whether a node is left out of launches, which only kernels, copies and sets can be.
bool can_be_left_out(const Work& work) {
    const abi::NodeType type = type_of(work);
    return type == abi::NodeType::kKernel || type == abi::NodeType::kCopy || type == abi::NodeType::kSet;
}

template <class Body>
cudaError with_copy(void* exec, void* node, Body&& body, const char* name = __builtin_FUNCTION()) {
    return on_graphs(
        [&](Runtime& runtime) -> Status {
            const auto found = runtime.graphs().exec(exec);
            const Node* const known = Node::find(node);
            if (!found) return no_exec();
            if (known == nullptr) return no_node();
            const auto lock = found->lock();
            Node* const own = found->copy_of(*known);
            return own == nullptr || !can_be_left_out(own->work) ? Status::kInvalidValue : body(*own);
        },
        name);
}

Status make_exec(Runtime& runtime, void** exec, void* graph, unsigned long long flags) {
    constexpr unsigned long long kKnown = abi::kAutoFree | abi::kUpload | abi::kNodePriority;
    if (const Status status = runtime.captures().forbid_unsafe(); status != Status::kOk) return status;
    const Graph* const known = Graph::find(graph);
    if (known == nullptr || exec == nullptr) return no_graph();
    if ((flags & abi::kDeviceLaunch) != 0) {
        runtime.warn_once("runtime-unsupported-call", "a graph that kernels launch is not supported yet");
        return Status::kNotSupported;
    }
    if ((flags & ~kKnown) != 0) return Status::kInvalidValue;
    if (known->has_cycle()) return because(Status::kInvalidValue, "the graph has a cycle");
    *exec = runtime.graphs().keep(std::make_shared<GraphExec>(*known, flags));
    return Status::kOk;
}

}  // namespace

cudaError instantiate(void** exec, void* graph, unsigned long long flags, const char* name) {
    return on_graphs([&](Runtime& runtime) { return make_exec(runtime, exec, graph, flags); }, name);
}

cudaError update_exec(void* exec, void* graph, abi::UpdateInfo& info, const char* name) {
    return on_graphs(
        [&](Runtime& runtime) -> Status {
            info = {abi::UpdateResult::kError, nullptr, nullptr};
            const auto found = runtime.graphs().exec(exec);
            const Graph* const known = Graph::find(graph);
            if (!found) return no_exec();
            if (known == nullptr) return no_graph();
            info = found->update(*known);
            return concluded(info);
        },
        name);
}

TILESCOPE_API cudaError cudaGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags) {
    return instantiate(exec, graph, flags);
}

TILESCOPE_API cudaError cudaGraphInstantiateWithParams(void** exec, void* graph, abi::InstantiateParameters* said) {
    return on_graphs([&](Runtime& runtime) -> Status {
        if (said == nullptr) return Status::kInvalidValue;
        const Graph* const known = Graph::find(graph);
        said->error_node = nullptr;
        const Status status = make_exec(runtime, exec, graph, said->flags);
        using abi::InstantiateResult;
        said->result = InstantiateResult::kSuccess;
        if (status == Status::kOk) return status;
        said->error_node = known != nullptr ? known->on_cycle() : nullptr;
        said->result = said->error_node != nullptr ? InstantiateResult::kInvalidStructure : InstantiateResult::kError;
        return status;
    });
}

TILESCOPE_API cudaError cudaGraphExecDestroy(void* exec) {
    return on_graphs([&](Runtime& runtime) -> Status {
        const auto found = runtime.graphs().destroy_exec(exec);
        if (!found) return no_exec();
        found->end(runtime);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGraphExecGetFlags(void* exec, unsigned long long* flags) {
    return on_graphs([&](Runtime& runtime) -> Status {
        const auto found = runtime.graphs().exec(exec);
        if (!found || flags == nullptr) return no_exec();
        *flags = found->flags();
        return Status::kOk;
    });
}

// Not while other graphs are looked at: its functions of the host may take their time.
TILESCOPE_API cudaError cudaGraphLaunch(void* exec, void* stream) {
    return on_device([&](Runtime& runtime) -> Status {
        const auto found = runtime.graphs().exec(exec);
        if (!found) return no_exec();
        return on_stream_now(runtime, stream, [&](const machine::Issue&) {
            const Status status = found->launch(runtime, *runtime.handles().stream(stream));
            // As with a launch by itself: a fault of one of its kernels is the error of what comes next.
            return status == runtime.poisoned() ? Status::kOk : status;
        });
    });
}

// It is there already.
TILESCOPE_API cudaError cudaGraphUpload(void* exec, void* stream) {
    return on_device([&](Runtime& runtime) -> Status {
        if (!runtime.graphs().exec(exec)) return no_exec();
        return on_stream_now(runtime, stream, [](const machine::Issue&) { return Status::kOk; });
    });
}

TILESCOPE_API cudaError cudaGraphExecKernelNodeSetParams(void* exec, void* node, const abi::KernelNode* said) {
    return change_in_exec(exec, node, [&](Runtime& runtime, Work& work) { return kernel_work(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParams(void* exec, void* node, const abi::Memcpy3D* said) {
    return change_in_exec(exec, node, [&](Runtime& runtime, Work& work) { return copy_work(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParams1D(void* exec, void* node, void* target, const void* source,
                                                           std::size_t bytes, cudaMemcpyKind kind) {
    return change_in_exec(exec, node, [&](Runtime& runtime, Work& work) {
        const abi::Memcpy3D copy = volume_of(target, source, bytes, kind);
        return copy_work(runtime, &copy, work);
    });
}

TILESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParamsToSymbol(void* exec, void* node, const void* symbol,
                                                                 const void* source, std::size_t bytes,
                                                                 std::size_t offset, cudaMemcpyKind kind) {
    return change_in_exec(exec, node, [&](Runtime& runtime, Work& work) {
        abi::Memcpy3D copy{};
        const Status status =
            volume_of_symbol(runtime, true, symbol, const_cast<void*>(source), bytes, offset, kind, copy);
        return status != Status::kOk ? status : copy_work(runtime, &copy, work);
    });
}

TILESCOPE_API cudaError cudaGraphExecMemcpyNodeSetParamsFromSymbol(void* exec, void* node, void* target,
                                                                   const void* symbol, std::size_t bytes,
                                                                   std::size_t offset, cudaMemcpyKind kind) {
    return change_in_exec(exec, node, [&](Runtime& runtime, Work& work) {
        abi::Memcpy3D copy{};
        const Status status = volume_of_symbol(runtime, false, symbol, target, bytes, offset, kind, copy);
        return status != Status::kOk ? status : copy_work(runtime, &copy, work);
    });
}

TILESCOPE_API cudaError cudaGraphExecMemsetNodeSetParams(void* exec, void* node, const abi::SetNode* said) {
    return change_in_exec(exec, node, [&](Runtime& runtime, Work& work) { return set_work(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphExecHostNodeSetParams(void* exec, void* node, const abi::HostNode* said) {
    return change_in_exec(exec, node, [&](Runtime&, Work& work) { return host_work(said, work); });
}

TILESCOPE_API cudaError cudaGraphExecChildGraphNodeSetParams(void* exec, void* node, void* graph) {
    return change_in_exec(exec, node, [&](Runtime&, Work& work) { return child_work(graph, work); });
}

TILESCOPE_API cudaError cudaGraphExecEventRecordNodeSetEvent(void* exec, void* node, void* event) {
    return change_in_exec(exec, node,
                          [&](Runtime& runtime, Work& work) { return event_work(runtime, event, true, work); });
}

TILESCOPE_API cudaError cudaGraphExecEventWaitNodeSetEvent(void* exec, void* node, void* event) {
    return change_in_exec(exec, node,
                          [&](Runtime& runtime, Work& work) { return event_work(runtime, event, false, work); });
}

TILESCOPE_API cudaError cudaGraphExecNodeSetParams(void* exec, void* node, const abi::AnyNode* said) {
    return change_in_exec(exec, node, [&](Runtime& runtime, Work& work) { return any_work(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphNodeSetEnabled(void* exec, void* node, unsigned enabled) {
    return with_copy(exec, node, [&](Node& own) {
        own.is_enabled = enabled != 0;
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGraphNodeGetEnabled(void* exec, void* node, unsigned* enabled) {
    return with_copy(exec, node, [&](const Node& own) -> Status {
        if (enabled == nullptr) return Status::kInvalidValue;
        *enabled = own.is_enabled ? 1 : 0;
        return Status::kOk;
    });
}

TILESCOPE_PER_THREAD(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);
TILESCOPE_PER_THREAD(cudaGraphLaunch_ptsz, cudaGraphLaunch);
TILESCOPE_PER_THREAD(cudaGraphUpload_ptsz, cudaGraphUpload);

}  // namespace tilescope::runtime
