// Graphs: made, destroyed, copied, looked at.
#include <memory>

#include "scope/runtime/cudart/graph_abi.h"
#include "scope/runtime/cudart/graph_call.h"

namespace tilescope::runtime {
namespace {

abi::NodeType type_of(const Work& work) {
    using abi::NodeType;
    switch (kind_of(work)) {
        case NodeKind::kEmpty: break;
        case NodeKind::kKernel: return NodeType::kKernel;
        case NodeKind::kCopy: return NodeType::kCopy;
        case NodeKind::kSet: return NodeType::kSet;
        case NodeKind::kHost: return NodeType::kHost;
        case NodeKind::kGraph: return NodeType::kGraph;
        case NodeKind::kRecordEvent: return NodeType::kRecordEvent;
        case NodeKind::kWaitEvent: return NodeType::kWaitEvent;
    }
    return NodeType::kEmpty;
}

cudaError give_nodes(void* graph, void** nodes, std::size_t* count, bool roots_only,
                     const char* name = __builtin_FUNCTION()) {
    return on_graphs(
        [&](Runtime&) {
            const Graph* const known = Graph::find(graph);
            return known == nullptr ? no_graph() : give_list(nodes_of(*known, roots_only), nodes, count);
        },
        name);
}

}  // namespace

TILESCOPE_API cudaError cudaGraphCreate(void** graph, unsigned flags) {
    return on_graphs([&](Runtime& runtime) -> Status {
        if (graph == nullptr || flags != 0) return Status::kInvalidValue;
        *graph = runtime.graphs().keep(std::make_shared<Graph>());
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGraphDestroy(void* graph) {
    return on_graphs([&](Runtime& runtime) { return destroy_graph(runtime, graph); });
}

TILESCOPE_API cudaError cudaGraphClone(void** copy, void* graph) {
    return on_graphs([&](Runtime& runtime) { return clone_graph(runtime, graph, copy); });
}

TILESCOPE_API cudaError cudaGraphNodeFindInClone(void** found, void* node, void* clone) {
    return on_graphs([&](Runtime&) { return find_in_clone(node, clone, found); });
}

TILESCOPE_API cudaError cudaGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
    return give_nodes(graph, nodes, count, false);
}

TILESCOPE_API cudaError cudaGraphGetRootNodes(void* graph, void** nodes, std::size_t* count) {
    return give_nodes(graph, nodes, count, true);
}

TILESCOPE_API cudaError cudaGraphNodeGetType(void* node, abi::NodeType* type) {
    return on_graphs([&](Runtime&) -> Status {
        const Node* const known = Node::find(node);
        if (known == nullptr || type == nullptr) return no_node();
        *type = type_of(known->work);
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGraphDestroyNode(void* node) {
    return on_graphs([&](Runtime& runtime) { return destroy_node(runtime, node); });
}

TILESCOPE_API cudaError cudaGraphChildGraphNodeGetGraph(void* node, void** graph) {
    return on_graphs([&](Runtime&) -> Status {
        const Node* const known = Node::find(node);
        if (known == nullptr || graph == nullptr) return no_node();
        const auto* const child = std::get_if<ChildWork>(&known->work);
        if (child == nullptr) return Status::kInvalidValue;
        *graph = child->graph.get();
        return Status::kOk;
    });
}

// Names, kinds and edges; `flags` asks for details that are left out here.
TILESCOPE_API cudaError cudaGraphDebugDotPrint(void* graph, const char* path, unsigned) {
    return on_graphs([&](Runtime& runtime) {
        const Graph* const known = Graph::find(graph);
        return known == nullptr || path == nullptr ? Status::kInvalidValue : draw_graph(runtime, *known, path);
    });
}

}  // namespace tilescope::runtime
