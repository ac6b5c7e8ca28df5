// What the calls about graphs share: how they begin, which handles they accept, how they give lists.
#pragma once

#include <algorithm>
#include <vector>

#include "scope/runtime/capture.h"
#include "scope/runtime/graphs.h"
#include "scope/runtime/guard.h"

namespace tilescope::runtime {

// body(Runtime&), while nobody else reads or changes a graph.
template <class Body>
cudaError on_graphs(Body&& body, const char* name = __builtin_FUNCTION(),
                    const void* from = __builtin_return_address(0)) noexcept {
    return on_device(
        [&](Runtime& runtime) -> cudaError {
            const auto lock = runtime.graphs().lock();
            return body(runtime);
        },
        name, from);
}

inline cudaError no_graph() {
    return because(cudaErrorInvalidValue, "the graph was never made, or is destroyed already");
}
inline cudaError no_node() {
    return because(cudaErrorInvalidValue, "the node was never made, or is destroyed already");
}
inline cudaError no_exec() {
    return because(cudaErrorInvalidValue, "the executable graph was never made, or is destroyed already");
}

// Handles of nodes, all different, all of the graph.
inline cudaError find_nodes(const Graph* graph, void* const* handles, std::size_t count, std::vector<Node*>& nodes) {
    if (count != 0 && handles == nullptr) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
        Node* const node = Node::find(handles[i]);
        if (node == nullptr) return no_node();
        if (node->graph != graph) return because(cudaErrorInvalidValue, "the node belongs to another graph");
        for (const Node* const other : nodes)
            if (other == node) return because(cudaErrorInvalidValue, "a node is named twice");
        nodes.push_back(node);
    }
    return cudaSuccess;
}

// How many there are, if `out` is null; else those that there is room for, and null in what is left.
template <class T>
cudaError give_list(const std::vector<T*>& all, void** out, std::size_t* count) {
    if (count == nullptr) return cudaErrorInvalidValue;
    if (out != nullptr)
        for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : nullptr;
    *count = out == nullptr ? all.size() : std::min(*count, all.size());
    return cudaSuccess;
}

}  // namespace tilescope::runtime
