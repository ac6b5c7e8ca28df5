// Nodes of graphs: what kind they are, what they do, and what they are to do instead.
#include "scope/runtime/cuda/graph_guard.h"
#include "scope/runtime/cuda/node_work.h"
#include "scope/runtime/cudart/convert.h"
#include "scope/runtime/cudart/node_attributes.h"
#include "scope/runtime/service/graphs/graph_nodes.h"
#include "scope/runtime/service/graphs/user_objects.h"

namespace tilescope::runtime::driver {
namespace {

// tell(const What&) of a node that does such a thing.
template <class What, class Tell>
Code ask_node(void* node, const void* out, Tell&& tell, const char* name = __builtin_FUNCTION(),
              const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime&) -> Status {
            Node* const known = Node::find(node);
            if (known == nullptr) return no_node();
            auto* const work = std::get_if<What>(&known->work);
            if (work == nullptr || out == nullptr) return Status::kInvalidValue;
            tell(*work);
            return Status::kOk;
        },
        name, from);
}

// make(Runtime&, Work&) says what the node does from here on.
template <class Make>
Code set_node(void* node, Make&& make, const char* name = __builtin_FUNCTION(),
              const void* from = __builtin_return_address(0)) {
    return on_graphs(
        [&](Runtime& runtime) { return change_node(node, [&](Work& work) { return make(runtime, work); }); }, name,
        from);
}

abi::NodeType type_of(const Work& work) {
    switch (kind_of(work)) {
        case NodeKind::kEmpty: break;
        case NodeKind::kKernel: return abi::NodeType::kKernel;
        case NodeKind::kCopy: return abi::NodeType::kCopy;
        case NodeKind::kSet: return abi::NodeType::kSet;
        case NodeKind::kHost: return abi::NodeType::kHost;
        case NodeKind::kGraph: return abi::NodeType::kGraph;
        case NodeKind::kRecordEvent: return abi::NodeType::kRecordEvent;
        case NodeKind::kWaitEvent: return abi::NodeType::kWaitEvent;
    }
    return abi::NodeType::kEmpty;
}

}  // namespace

TILESCOPE_DRIVER Code cuGraphNodeGetType(void* node, abi::NodeType* type) {
    return on_graphs([&](Runtime&) -> Status {
        const Node* const known = Node::find(node);
        if (known == nullptr) return no_node();
        if (type == nullptr) return Status::kInvalidValue;
        *type = type_of(known->work);
        return Status::kOk;
    });
}
TILESCOPE_DRIVER Code cuGraphChildGraphNodeGetGraph(void* node, void** graph) {
    return ask_node<ChildWork>(node, graph, [&](const ChildWork& work) { *graph = work.graph.get(); });
}

TILESCOPE_DRIVER Code cuGraphKernelNodeGetParams_v2(void* node, KernelNode* said) {
    return on_graphs([&](Runtime& runtime) -> Status {
        Node* const known = Node::find(node);
        if (known == nullptr || said == nullptr) return no_node();
        return tell_kernel(runtime, *known, *said);
    });
}
TILESCOPE_DRIVER Code cuGraphKernelNodeSetParams_v2(void* node, const KernelNode* said) {
    return set_node(node, [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphMemcpyNodeGetParams(void* node, Memcpy3D* said) {
    return ask_node<Copy>(node, said, [&](const Copy& copy) { *said = said_of(copy); });
}
TILESCOPE_DRIVER Code cuGraphMemcpyNodeSetParams(void* node, const Memcpy3D* said) {
    return set_node(node, [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphMemsetNodeGetParams(void* node, abi::SetNode* said) {
    return ask_node<Set>(node, said, [&](const Set& set) { *said = abi_of(set); });
}
TILESCOPE_DRIVER Code cuGraphMemsetNodeSetParams(void* node, const abi::SetNode* said) {
    return set_node(node, [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}
TILESCOPE_DRIVER Code cuGraphHostNodeGetParams(void* node, abi::HostNode* said) {
    return ask_node<HostWork>(node, said, [&](const HostWork& host) { *said = {host.function, host.data}; });
}
TILESCOPE_DRIVER Code cuGraphHostNodeSetParams(void* node, const abi::HostNode* said) {
    return set_node(node, [&](Runtime&, Work& work) { return work_from(said, work); });
}
TILESCOPE_DRIVER Code cuGraphEventRecordNodeGetEvent(void* node, void** event) {
    return ask_node<RecordWork>(node, event, [&](const RecordWork& work) { *event = work.event; });
}
TILESCOPE_DRIVER Code cuGraphEventRecordNodeSetEvent(void* node, void* event) {
    return set_node(node, [&](Runtime& runtime, Work& work) { return event_work(runtime, event, true, work); });
}
TILESCOPE_DRIVER Code cuGraphEventWaitNodeGetEvent(void* node, void** event) {
    return ask_node<WaitWork>(node, event, [&](const WaitWork& work) { *event = work.event; });
}
TILESCOPE_DRIVER Code cuGraphEventWaitNodeSetEvent(void* node, void* event) {
    return set_node(node, [&](Runtime& runtime, Work& work) { return event_work(runtime, event, false, work); });
}
TILESCOPE_DRIVER Code cuGraphNodeSetParams(void* node, const AnyNode* said) {
    return set_node(node, [&](Runtime& runtime, Work& work) { return work_from(runtime, said, work); });
}

TILESCOPE_DRIVER Code cuGraphKernelNodeGetAttribute(void* node, int attribute, abi::AttributeValue* value) {
    return on_graphs([&](Runtime&) {
        KernelLaunch* launch = nullptr;
        if (const Status status = kernel_of(node, launch); status != Status::kOk) return status;
        return value == nullptr ? Status::kInvalidValue : node_attribute(*launch, attribute, *value);
    });
}
TILESCOPE_DRIVER Code cuGraphKernelNodeSetAttribute(void* node, int attribute, const abi::AttributeValue* value) {
    return on_graphs([&](Runtime& runtime) {
        KernelLaunch* launch = nullptr;
        if (const Status status = kernel_of(node, launch); status != Status::kOk) return status;
        return value == nullptr ? Status::kInvalidValue : set_node_attribute(runtime, *launch, attribute, *value);
    });
}
TILESCOPE_DRIVER Code cuGraphKernelNodeCopyAttributes(void* target, void* source) {
    return on_graphs([&](Runtime&) { return copy_kernel_attributes(target, source); });
}

// Objects of the program's own that graphs keep alive.
TILESCOPE_DRIVER Code cuUserObjectCreate(void** object, void* data, void (*end)(void*), unsigned count,
                                         unsigned flags) {
    return once_initialised([&](Contexts&) { return make_object(object, data, end, count, flags); });
}
TILESCOPE_DRIVER Code cuUserObjectRetain(void* object, unsigned count) {
    return once_initialised([&](Contexts&) { return retain_object(object, count); });
}
TILESCOPE_DRIVER Code cuUserObjectRelease(void* object, unsigned count) {
    return once_initialised([&](Contexts&) { return release_object(object, count); });
}
TILESCOPE_DRIVER Code cuGraphRetainUserObject(void* graph, void* object, unsigned count, unsigned flags) {
    return on_graphs([&](Runtime&) { return retain_in_graph(graph, object, count, flags); });
}
TILESCOPE_DRIVER Code cuGraphReleaseUserObject(void* graph, void* object, unsigned count) {
    return on_graphs([&](Runtime&) { return release_in_graph(graph, object, count); });
}

std::span<const Entry> node_asks() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuGraphNodeGetType),
        TILESCOPE_THERE(cuGraphChildGraphNodeGetGraph),
        TILESCOPE_THERE(cuGraphKernelNodeGetParams_v2),
        TILESCOPE_THERE(cuGraphKernelNodeSetParams_v2),
        TILESCOPE_THERE(cuGraphMemcpyNodeGetParams),
        TILESCOPE_THERE(cuGraphMemcpyNodeSetParams),
        TILESCOPE_THERE(cuGraphMemsetNodeGetParams),
        TILESCOPE_THERE(cuGraphMemsetNodeSetParams),
        TILESCOPE_THERE(cuGraphHostNodeGetParams),
        TILESCOPE_THERE(cuGraphHostNodeSetParams),
        TILESCOPE_THERE(cuGraphEventRecordNodeGetEvent),
        TILESCOPE_THERE(cuGraphEventRecordNodeSetEvent),
        TILESCOPE_THERE(cuGraphEventWaitNodeGetEvent),
        TILESCOPE_THERE(cuGraphEventWaitNodeSetEvent),
        TILESCOPE_THERE(cuGraphNodeSetParams),
        TILESCOPE_THERE(cuGraphKernelNodeGetAttribute),
        TILESCOPE_THERE(cuGraphKernelNodeSetAttribute),
        TILESCOPE_THERE(cuGraphKernelNodeCopyAttributes),
        TILESCOPE_THERE(cuUserObjectCreate),
        TILESCOPE_THERE(cuUserObjectRetain),
        TILESCOPE_THERE(cuUserObjectRelease),
        TILESCOPE_THERE(cuGraphRetainUserObject),
        TILESCOPE_THERE(cuGraphReleaseUserObject),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
