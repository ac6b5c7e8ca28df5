// What the calls about graphs share: how they begin, which handles they accept, how they give lists.
#pragma once

#include <algorithm>
#include <vector>

#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/graphs/graphs.h"

namespace tilescope::runtime {

// body(Runtime&), while nobody else reads or changes a graph.
template <class Body>
cudaError on_graphs(Body&& body, const char* name = __builtin_FUNCTION(),
                    const void* from = __builtin_return_address(0)) noexcept {
    return on_device(
        [&](Runtime& runtime) -> Status {
            const auto lock = runtime.graphs().lock();
            return body(runtime);
        },
        name, from);
}

inline Status no_graph() { return because(Status::kInvalidValue, "the graph was never made, or is destroyed already"); }
inline Status no_node() { return because(Status::kInvalidValue, "the node was never made, or is destroyed already"); }
inline Status no_exec() {
    return because(Status::kInvalidValue, "the executable graph was never made, or is destroyed already");
}

// Handles of nodes, all different, all of the graph.
inline Status find_nodes(const Graph* graph, void* const* handles, std::size_t count, std::vector<Node*>& nodes) {
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

// How many there are, if `out` is null; else those that there is room for, and null in what is left.
template <class T>
Status give_list(const std::vector<T*>& all, void** out, std::size_t* count) {
    if (count == nullptr) return Status::kInvalidValue;
    if (out != nullptr)
        for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : nullptr;
    *count = out == nullptr ? all.size() : std::min(*count, all.size());
    return Status::kOk;
}

}  // namespace tilescope::runtime
