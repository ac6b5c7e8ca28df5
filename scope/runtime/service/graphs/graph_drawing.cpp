// A graph as a picture.
#include <cstdio>
#include <memory>
#include <string>

#include "scope/runtime/service/graphs/graph_edits.h"
#include "scope/runtime/service/modules/modules.h"

namespace tilescope::runtime {
namespace {

const char* name_of_kind(NodeKind kind) {
    switch (kind) {
        case NodeKind::kKernel: return "kernel";
        case NodeKind::kCopy: return "memcpy";
        case NodeKind::kSet: return "memset";
        case NodeKind::kHost: return "host";
        case NodeKind::kGraph: return "graph";
        case NodeKind::kWaitEvent: return "event wait";
        case NodeKind::kRecordEvent: return "event record";
        case NodeKind::kEmpty: break;
    }
    return "empty";
}

std::string label_of(Runtime& runtime, const Node& node) {
    std::string text = name_of_kind(kind_of(node.work));
    const auto* const launch = std::get_if<KernelLaunch>(&node.work);
    const Function* const function = launch != nullptr ? runtime.modules().first(launch->function) : nullptr;
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

}  // namespace

Status draw_graph(Runtime& runtime, const Graph& graph, const char* path) {
    const std::string text = "digraph graph_0 {\n" + dot_of(runtime, graph) + "}\n";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), std::fclose);
    const bool is_written = file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
    return is_written ? Status::kOk : Status::kOperatingSystem;
}

}  // namespace tilescope::runtime
