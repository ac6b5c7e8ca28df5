#include "scope/runtime/service/graphs/graph_edits.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tilescope::runtime {
namespace {

// Pairs of nodes of one graph.
Status find_pairs(const Graph* graph, void* const* from, void* const* to, std::size_t count,
                  std::vector<std::pair<Node*, Node*>>& pairs) {
    if (graph == nullptr) return no_graph();
    if (count != 0 && (from == nullptr || to == nullptr)) return Status::kInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
        Node *const first = Node::find(from[i]), *const second = Node::find(to[i]);
        if (first == nullptr || second == nullptr) return no_node();
        if (first->graph != graph || second->graph != graph)
            return because(Status::kInvalidValue, "the node belongs to another graph");
        pairs.emplace_back(first, second);
    }
    return Status::kOk;
}

}  // namespace

Status find_nodes(const Graph* graph, void* const* handles, std::size_t count, std::vector<Node*>& nodes) {
    if (count != 0 && handles == nullptr) return Status::kInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
        Node* const node = Node::find(handles[i]);
        if (node == nullptr) return no_node();
        if (node->graph != graph) return because(Status::kInvalidValue, "the node belongs to another graph");
        for (const Node* const other : nodes)
            if (other == node) return because(Status::kInvalidValue, "a node is named twice");
        nodes.push_back(node);
    }
    return Status::kOk;
}

Status begin_capture(Runtime& runtime, const Stream& stream, void* graph, void* const* before, std::size_t count,
                     bool are_ordinary, CaptureMode mode) {
    Graph* const known = Graph::find(graph);
    std::vector<Node*> nodes;
    if (known == nullptr) return no_graph();
    if (const Status status = find_nodes(known, before, count, nodes); status != Status::kOk) return status;
    if (const Status status = refuse_edges(runtime, are_ordinary); status != Status::kOk) return status;
    return runtime.captures().begin(stream, mode, known, nodes);
}

Status change_capture(Runtime& runtime, const Stream& stream, void* const* nodes, std::size_t count, bool are_ordinary,
                      bool replaces) {
    if (count != 0 && nodes == nullptr) return Status::kInvalidValue;
    if (const Status status = refuse_edges(runtime, are_ordinary); status != Status::kOk) return status;
    std::vector<Node*> known;
    for (std::size_t i = 0; i < count; ++i) {
        known.push_back(Node::find(nodes[i]));
        if (known.back() == nullptr) return no_node();
    }
    return runtime.captures().change_tails(stream, known, replaces);
}

Status end_capture(Runtime& runtime, const Stream& stream, void** out) {
    std::shared_ptr<Graph> made;
    Graph* captured = nullptr;
    const Status status = runtime.captures().end(stream, made, captured);
    if (out != nullptr) *out = captured;
    if (made && out != nullptr) runtime.graphs().keep(std::move(made));
    return status;
}

Status destroy_graph(Runtime& runtime, void* graph) {
    if (runtime.captures().uses(Graph::find(graph)))
        return because(Status::kInvalidValue, "a stream captures into the graph");
    return runtime.graphs().destroy(graph) ? Status::kOk : no_graph();
}

Status clone_graph(Runtime& runtime, const void* graph, void** out) {
    const Graph* const known = Graph::find(graph);
    if (out == nullptr || known == nullptr) return no_graph();
    *out = runtime.graphs().keep(std::shared_ptr<Graph>(known->copy()));
    return Status::kOk;
}

Status find_in_clone(const void* node, const void* clone, void** found) {
    const Node* const known = Node::find(node);
    const Graph* const graph = Graph::find(clone);
    if (found == nullptr || known == nullptr || graph == nullptr) return Status::kInvalidValue;
    for (const auto& other : graph->nodes()) {
        if (other->origin != known->id || other.get() == known) continue;
        *found = other.get();
        return Status::kOk;
    }
    return because(Status::kInvalidValue, "the graph has no copy of the node");
}

Status add_node(void* graph, void* const* before, std::size_t count, const MakeWork& make, void** out) {
    Graph* const known = Graph::find(graph);
    std::vector<Node*> nodes;
    Work work;
    if (known == nullptr) return no_graph();
    if (out == nullptr) return Status::kInvalidValue;
    if (const Status status = find_nodes(known, before, count, nodes); status != Status::kOk) return status;
    if (const Status status = make(work); status != Status::kOk) return status;
    *out = known->add(std::move(work), nodes, asked_here());
    return Status::kOk;
}

Status change_node(void* node, const MakeWork& make) {
    Node* const known = Node::find(node);
    Work work;
    if (known == nullptr) return no_node();
    if (const Status status = make(work); status != Status::kOk) return status;
    if (work.index() != known->work.index()) return because(Status::kInvalidValue, "a node of another kind");
    if (auto* const launch = std::get_if<KernelLaunch>(&work))
        take_attributes(*launch, std::get<KernelLaunch>(known->work));
    known->work = std::move(work);
    known->asked = asked_here();
    return Status::kOk;
}

Status destroy_node(Runtime& runtime, void* node) {
    Node* const known = Node::find(node);
    if (known == nullptr) return no_node();
    if (runtime.captures().uses(known->graph))
        return because(Status::kInvalidValue, "a stream captures into the node's graph");
    known->graph->remove(known);
    return Status::kOk;
}

Status refuse_edges(Runtime& runtime, bool are_ordinary) {
    if (are_ordinary) return Status::kOk;
    runtime.warn_once("runtime-unsupported-call",
                      "an edge of a graph that has a port or a type (programmatic launch) is not supported yet");
    return Status::kNotSupported;
}

Status add_edges(Runtime& runtime, void* graph, void* const* from, void* const* to, std::size_t count,
                 bool are_ordinary) {
    Graph* const known = Graph::find(graph);
    std::vector<std::pair<Node*, Node*>> pairs;
    if (const Status status = find_pairs(known, from, to, count, pairs); status != Status::kOk) return status;
    if (const Status status = refuse_edges(runtime, are_ordinary); status != Status::kOk) return status;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& [first, second] = pairs[i];
        const auto before = pairs.begin() + static_cast<std::ptrdiff_t>(i);
        const bool is_again = std::find(pairs.begin(), before, pairs[i]) != before;
        if (first == second) return because(Status::kInvalidValue, "a node cannot come behind itself");
        if (is_again || known->has_edge(first, second))
            return because(Status::kInvalidValue, "the edge is there already");
    }
    for (const auto& [first, second] : pairs) known->connect(first, second);
    return Status::kOk;
}

Status remove_edges(void* graph, void* const* from, void* const* to, std::size_t count) {
    Graph* const known = Graph::find(graph);
    std::vector<std::pair<Node*, Node*>> pairs;
    if (const Status status = find_pairs(known, from, to, count, pairs); status != Status::kOk) return status;
    for (const auto& [first, second] : pairs)
        if (!known->has_edge(first, second)) return because(Status::kInvalidValue, "there is no such edge");
    for (const auto& [first, second] : pairs) known->disconnect(first, second);
    return Status::kOk;
}

std::vector<Node*> nodes_of(const Graph& graph, bool roots_only) {
    std::vector<Node*> nodes;
    for (const auto& node : graph.nodes())
        if (!roots_only || node->before.empty()) nodes.push_back(node.get());
    return nodes;
}

}  // namespace tilescope::runtime
