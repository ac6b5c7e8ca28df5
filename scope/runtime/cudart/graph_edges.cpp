#include "scope/runtime/cudart/graph_edges.h"

#include <algorithm>
#include <cstring>

#include "scope/runtime/cudart/graph_call.h"

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

Status check_edges(Runtime& runtime, const abi::EdgeData* data, std::size_t count) {
    static constexpr abi::EdgeData kOrdinary{};
    for (std::size_t i = 0; data != nullptr && i < count; ++i) {
        if (std::memcmp(&data[i], &kOrdinary, sizeof kOrdinary) == 0) continue;
        runtime.warn_once("runtime-unsupported-call",
                          "an edge of a graph that has a port or a type (programmatic launch) is not supported yet");
        return Status::kNotSupported;
    }
    return Status::kOk;
}

cudaError add_edges(void* graph, void* const* from, void* const* to, const abi::EdgeData* data, std::size_t count,
                    const char* name) {
    return on_graphs(
        [&](Runtime& runtime) -> Status {
            Graph* const known = Graph::find(graph);
            std::vector<std::pair<Node*, Node*>> pairs;
            if (const Status status = find_pairs(known, from, to, count, pairs); status != Status::kOk) return status;
            if (const Status status = check_edges(runtime, data, count); status != Status::kOk) return status;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const auto& [first, second] = pairs[i];
                const bool is_again = std::find(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(i),
                                                pairs[i]) != pairs.begin() + static_cast<std::ptrdiff_t>(i);
                if (first == second) return because(Status::kInvalidValue, "a node cannot come behind itself");
                if (is_again || known->has_edge(first, second))
                    return because(Status::kInvalidValue, "the edge is there already");
            }
            for (const auto& [first, second] : pairs) known->connect(first, second);
            return Status::kOk;
        },
        name);
}

cudaError remove_edges(void* graph, void* const* from, void* const* to, std::size_t count, const char* name) {
    return on_graphs(
        [&](Runtime&) -> Status {
            Graph* const known = Graph::find(graph);
            std::vector<std::pair<Node*, Node*>> pairs;
            if (const Status status = find_pairs(known, from, to, count, pairs); status != Status::kOk) return status;
            for (const auto& [first, second] : pairs)
                if (!known->has_edge(first, second)) return because(Status::kInvalidValue, "there is no such edge");
            for (const auto& [first, second] : pairs) known->disconnect(first, second);
            return Status::kOk;
        },
        name);
}

cudaError give_edges(void* graph, void** from, void** to, abi::EdgeData* data, std::size_t* count, const char* name) {
    return on_graphs(
        [&](Runtime&) -> Status {
            const Graph* const known = Graph::find(graph);
            if (known == nullptr) return no_graph();
            if (count == nullptr || (from == nullptr) != (to == nullptr)) return Status::kInvalidValue;
            std::vector<Node*> first, second;
            for (const auto& [one, other] : known->edges()) {
                first.push_back(one);
                second.push_back(other);
            }
            if (data != nullptr) std::fill_n(data, std::min(*count, first.size()), abi::EdgeData{});
            std::size_t room = *count;
            give_list(first, from, &room);
            return give_list(second, to, count);
        },
        name);
}

cudaError give_neighbours(void* node, bool before, void** nodes, abi::EdgeData* data, std::size_t* count,
                          const char* name) {
    return on_graphs(
        [&](Runtime&) -> Status {
            const Node* const known = Node::find(node);
            if (known == nullptr) return no_node();
            if (count == nullptr) return Status::kInvalidValue;
            const std::vector<Node*>& all = before ? known->before : known->after;
            if (data != nullptr) std::fill_n(data, std::min(*count, all.size()), abi::EdgeData{});
            return give_list(all, nodes, count);
        },
        name);
}

}  // namespace tilescope::runtime
