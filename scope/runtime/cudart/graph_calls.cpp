// Graphs: made, destroyed, copied, looked at.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "scope/runtime/cudart/graph_call.h"
#include "scope/runtime/service/modules/registry.h"

namespace tilescope::runtime {
namespace {

const char* node_type_name(abi::NodeType type) {
    switch (type) {
        case abi::NodeType::kKernel: return "kernel";
        case abi::NodeType::kCopy: return "memcpy";
        case abi::NodeType::kSet: return "memset";
        case abi::NodeType::kHost: return "host";
        case abi::NodeType::kGraph: return "graph";
        case abi::NodeType::kWaitEvent: return "event wait";
        case abi::NodeType::kRecordEvent: return "event record";
        default: return "empty";
    }
}

std::string label_of(Runtime& runtime, const Node& node) {
    std::string text = node_type_name(type_of(node.work));
    const auto* const launch = std::get_if<KernelLaunch>(&node.work);
    const Function* const function = launch != nullptr ? runtime.registry().record(launch->function) : nullptr;
    if (function != nullptr) text += "\\n" + runtime.session().demangle(function->entry);
    return text;
}

// A graph inside a node is a box of its own.
std::string dot_of(Runtime& runtime, const Graph& graph) {
    std::string text;
    const auto name = [](const Node& node) { return "node_" + std::to_string(node.id); };
    for (const auto& node : graph.nodes()) {
        text += name(*node) + " [label=\"" + label_of(runtime, *node) + "\"];\n";
        if (const auto* child = std::get_if<ChildWork>(&node->work))
            text += "subgraph cluster_" + std::to_string(node->id) + " {\nlabel=\"" + name(*node) + "\";\n" +
                    dot_of(runtime, *child->graph) + "}\n";
    }
    for (const auto& [from, to] : graph.edges()) text += name(*from) + " -> " + name(*to) + ";\n";
    return text;
}

std::vector<Node*> all_nodes(const Graph& graph, bool roots_only) {
    std::vector<Node*> nodes;
    for (const auto& node : graph.nodes())
        if (!roots_only || node->before.empty()) nodes.push_back(node.get());
    return nodes;
}

cudaError give_nodes(void* graph, void** nodes, std::size_t* count, bool roots_only,
                     const char* name = __builtin_FUNCTION()) {
    return on_graphs(
        [&](Runtime&) {
            const Graph* const known = Graph::find(graph);
            return known == nullptr ? no_graph() : give_list(all_nodes(*known, roots_only), nodes, count);
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
    return on_graphs([&](Runtime& runtime) {
        if (runtime.captures().uses(Graph::find(graph)))
            return because(Status::kInvalidValue, "a stream captures into the graph");
        return runtime.graphs().destroy(graph) ? Status::kOk : no_graph();
    });
}

TILESCOPE_API cudaError cudaGraphClone(void** copy, void* graph) {
    return on_graphs([&](Runtime& runtime) -> Status {
        const Graph* const known = Graph::find(graph);
        if (copy == nullptr || known == nullptr) return no_graph();
        *copy = runtime.graphs().keep(std::shared_ptr<Graph>(known->copy()));
        return Status::kOk;
    });
}

TILESCOPE_API cudaError cudaGraphNodeFindInClone(void** found, void* node, void* clone) {
    return on_graphs([&](Runtime&) -> Status {
        const Node* const known = Node::find(node);
        const Graph* const graph = Graph::find(clone);
        if (found == nullptr || known == nullptr || graph == nullptr) return Status::kInvalidValue;
        for (const auto& other : graph->nodes()) {
            if (other->origin != known->id || other.get() == known) continue;
            *found = other.get();
            return Status::kOk;
        }
        return because(Status::kInvalidValue, "the graph has no copy of the node");
    });
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
    return on_graphs([&](Runtime& runtime) -> Status {
        Node* const known = Node::find(node);
        if (known == nullptr) return no_node();
        if (runtime.captures().uses(known->graph))
            return because(Status::kInvalidValue, "a stream captures into the node's graph");
        known->graph->remove(known);
        return Status::kOk;
    });
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
    return on_graphs([&](Runtime& runtime) -> Status {
        const Graph* const known = Graph::find(graph);
        if (known == nullptr || path == nullptr) return Status::kInvalidValue;
        const std::string text = "digraph graph_0 {\n" + dot_of(runtime, *known) + "}\n";
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), std::fclose);
        if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
            return Status::kOperatingSystem;
        return Status::kOk;
    });
}

}  // namespace tilescope::runtime
