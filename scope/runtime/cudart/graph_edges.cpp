#include "scope/runtime/cudart/graph_edges.h"

#include <algorithm>
#include <cstring>

#include "scope/runtime/cudart/graph_call.h"

namespace tilescope::runtime {

bool are_ordinary(const abi::EdgeData* data, std::size_t count) {
    static constexpr abi::EdgeData kOrdinary{};
    return data == nullptr || std::all_of(data, data + count, [](const abi::EdgeData& edge) {
               return std::memcmp(&edge, &kOrdinary, sizeof kOrdinary) == 0;
           });
}

cudaError add_dependencies(void* graph, void* const* from, void* const* to, const abi::EdgeData* data,
                           std::size_t count, const char* name) {
    return on_graphs(
        [&](Runtime& runtime) { return add_edges(runtime, graph, from, to, count, are_ordinary(data, count)); }, name);
}

cudaError remove_dependencies(void* graph, void* const* from, void* const* to, std::size_t count, const char* name) {
    return on_graphs([&](Runtime&) { return remove_edges(graph, from, to, count); }, name);
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
