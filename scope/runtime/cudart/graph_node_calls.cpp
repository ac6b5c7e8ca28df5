// Nodes of graphs: added, asked what they do, changed.
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/graph_call.h"
#include "scope/runtime/cudart/graph_edges.h"
#include "scope/runtime/cudart/graph_work.h"
#include "scope/runtime/cudart/node_attributes.h"
#include "scope/runtime/service/graphs/graph_nodes.h"

namespace tilescope::runtime {
namespace {

// make(Runtime&, Work&) says what the node does.
template <class Make>
cudaError add(void** out, void* graph, void* const* before, std::size_t count, Make&& make,
              const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) {
            return add_node(
                graph, before, count, [&](Work& work) { return make(runtime, work); }, out);
        },
        name, from);
}

template <class Make>
cudaError change(void* node, Make&& make, const char* name = __builtin_FUNCTION(),
                 const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) { return change_node(node, [&](Work& work) { return make(runtime, work); }); }, name,
        from);
}

// tell(const What&) of a node that does such a thing.
template <class What, class Tell>
cudaError look(void* node, const void* out, Tell&& tell, const char* name = __builtin_FUNCTION()) {
    return on_graphs(
        [&](Runtime&) -> Status {
            Node* const known = Node::find(node);
            if (known == nullptr) return no_node();
            auto* const work = std::get_if<What>(&known->work);
            if (work == nullptr || out == nullptr) return Status::kInvalidValue;
            tell(*work);
            return Status::kOk;
        },
        name);
}

}  // namespace

cudaError add_any_node(void** out, void* graph, void* const* before, const abi::EdgeData* data, std::size_t count,
                       const abi::AnyNode* said, const char* name, const void* from) {
    return add(
        out, graph, before, count,
        [&](Runtime& runtime, Work& work) {
            const Status status = refuse_edges(runtime, are_ordinary(data, count));
            return status != Status::kOk ? status : work_of(runtime, said, work);
        },
        name, from);
}

TILESCOPE_API cudaError cudaGraphAddKernelNode(void** out, void* graph, void* const* before, std::size_t count,
                                               const abi::KernelNode* said) {
    return add(out, graph, before, count, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphAddMemcpyNode(void** out, void* graph, void* const* before, std::size_t count,
                                               const abi::Memcpy3D* said) {
    return add(out, graph, before, count, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphAddMemcpyNode1D(void** out, void* graph, void* const* before, std::size_t count,
                                                 void* target, const void* source, std::size_t bytes,
                                                 cudaMemcpyKind kind) {
    return add(out, graph, before, count, [&](Runtime& runtime, Work& work) {
        return copy_work(runtime, volume_of(target, source, bytes, direction_of(kind)), work);
    });
}

TILESCOPE_API cudaError cudaGraphAddMemcpyNodeToSymbol(void** out, void* graph, void* const* before, std::size_t count,
                                                       const void* symbol, const void* source, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind) {
    return add(out, graph, before, count, [&](Runtime& runtime, Work& work) {
        return copy_work(runtime, to_symbol(symbol, source, bytes, offset, kind), work);
    });
}

TILESCOPE_API cudaError cudaGraphAddMemcpyNodeFromSymbol(void** out, void* graph, void* const* before,
                                                         std::size_t count, void* target, const void* symbol,
                                                         std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    return add(out, graph, before, count, [&](Runtime& runtime, Work& work) {
        return copy_work(runtime, from_symbol(target, symbol, bytes, offset, kind), work);
    });
}

TILESCOPE_API cudaError cudaGraphAddMemsetNode(void** out, void* graph, void* const* before, std::size_t count,
                                               const abi::SetNode* said) {
    return add(out, graph, before, count, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphAddHostNode(void** out, void* graph, void* const* before, std::size_t count,
                                             const abi::HostNode* said) {
    return add(out, graph, before, count, [&](Runtime&, Work& work) { return work_of(said, work); });
}

TILESCOPE_API cudaError cudaGraphAddEmptyNode(void** out, void* graph, void* const* before, std::size_t count) {
    return add(out, graph, before, count, [&](Runtime&, Work&) { return Status::kOk; });
}

TILESCOPE_API cudaError cudaGraphAddChildGraphNode(void** out, void* graph, void* const* before, std::size_t count,
                                                   void* child) {
    return add(out, graph, before, count, [&](Runtime&, Work& work) { return child_work(child, work); });
}

TILESCOPE_API cudaError cudaGraphAddEventRecordNode(void** out, void* graph, void* const* before, std::size_t count,
                                                    void* event) {
    return add(out, graph, before, count,
               [&](Runtime& runtime, Work& work) { return event_work(runtime, event, true, work); });
}

TILESCOPE_API cudaError cudaGraphAddEventWaitNode(void** out, void* graph, void* const* before, std::size_t count,
                                                  void* event) {
    return add(out, graph, before, count,
               [&](Runtime& runtime, Work& work) { return event_work(runtime, event, false, work); });
}

TILESCOPE_API cudaError cudaGraphKernelNodeGetParams(void* node, abi::KernelNode* said) {
    return on_graphs([&](Runtime& runtime) -> Status {
        Node* const known = Node::find(node);
        if (known == nullptr || said == nullptr) return no_node();
        return tell_kernel(runtime, *known, *said);
    });
}

TILESCOPE_API cudaError cudaGraphKernelNodeSetParams(void* node, const abi::KernelNode* said) {
    return change(node, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphMemcpyNodeGetParams(void* node, abi::Memcpy3D* said) {
    return look<Copy>(node, said, [&](const Copy& copy) { *said = abi_of(in_texels(Runtime::get(), copy)); });
}

TILESCOPE_API cudaError cudaGraphMemcpyNodeSetParams(void* node, const abi::Memcpy3D* said) {
    return change(node, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphMemcpyNodeSetParams1D(void* node, void* target, const void* source, std::size_t bytes,
                                                       cudaMemcpyKind kind) {
    return change(node, [&](Runtime& runtime, Work& work) {
        return copy_work(runtime, volume_of(target, source, bytes, direction_of(kind)), work);
    });
}

TILESCOPE_API cudaError cudaGraphMemcpyNodeSetParamsToSymbol(void* node, const void* symbol, const void* source,
                                                             std::size_t bytes, std::size_t offset,
                                                             cudaMemcpyKind kind) {
    return change(node, [&](Runtime& runtime, Work& work) {
        return copy_work(runtime, to_symbol(symbol, source, bytes, offset, kind), work);
    });
}

TILESCOPE_API cudaError cudaGraphMemcpyNodeSetParamsFromSymbol(void* node, void* target, const void* symbol,
                                                               std::size_t bytes, std::size_t offset,
                                                               cudaMemcpyKind kind) {
    return change(node, [&](Runtime& runtime, Work& work) {
        return copy_work(runtime, from_symbol(target, symbol, bytes, offset, kind), work);
    });
}

TILESCOPE_API cudaError cudaGraphMemsetNodeGetParams(void* node, abi::SetNode* said) {
    return look<Set>(node, said, [&](const Set& set) { *said = abi_of(set); });
}

TILESCOPE_API cudaError cudaGraphMemsetNodeSetParams(void* node, const abi::SetNode* said) {
    return change(node, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphHostNodeGetParams(void* node, abi::HostNode* said) {
    return look<HostWork>(node, said, [&](const HostWork& host) { *said = {host.function, host.data}; });
}

TILESCOPE_API cudaError cudaGraphHostNodeSetParams(void* node, const abi::HostNode* said) {
    return change(node, [&](Runtime&, Work& work) { return work_of(said, work); });
}

TILESCOPE_API cudaError cudaGraphEventRecordNodeGetEvent(void* node, void** event) {
    return look<RecordWork>(node, event, [&](const RecordWork& work) { *event = work.event; });
}

TILESCOPE_API cudaError cudaGraphEventRecordNodeSetEvent(void* node, void* event) {
    return change(node, [&](Runtime& runtime, Work& work) { return event_work(runtime, event, true, work); });
}

TILESCOPE_API cudaError cudaGraphEventWaitNodeGetEvent(void* node, void** event) {
    return look<WaitWork>(node, event, [&](const WaitWork& work) { *event = work.event; });
}

TILESCOPE_API cudaError cudaGraphEventWaitNodeSetEvent(void* node, void* event) {
    return change(node, [&](Runtime& runtime, Work& work) { return event_work(runtime, event, false, work); });
}

TILESCOPE_API cudaError cudaGraphNodeSetParams(void* node, const abi::AnyNode* said) {
    return change(node, [&](Runtime& runtime, Work& work) { return work_of(runtime, said, work); });
}

TILESCOPE_API cudaError cudaGraphKernelNodeGetAttribute(void* node, int attribute, abi::AttributeValue* value) {
    return on_graphs([&](Runtime&) {
        KernelLaunch* launch = nullptr;
        if (const Status status = kernel_of(node, launch); status != Status::kOk) return status;
        return value == nullptr ? Status::kInvalidValue : node_attribute(*launch, attribute, *value);
    });
}

TILESCOPE_API cudaError cudaGraphKernelNodeSetAttribute(void* node, int attribute, const abi::AttributeValue* value) {
    return on_graphs([&](Runtime& runtime) {
        KernelLaunch* launch = nullptr;
        if (const Status status = kernel_of(node, launch); status != Status::kOk) return status;
        return value == nullptr ? Status::kInvalidValue : set_node_attribute(runtime, *launch, attribute, *value);
    });
}

TILESCOPE_API cudaError cudaGraphKernelNodeCopyAttributes(void* target, void* source) {
    return on_graphs([&](Runtime&) { return copy_kernel_attributes(target, source); });
}

}  // namespace tilescope::runtime
