// Graphs as programs make and change them, by the handles that they hold. Whoever calls holds Graphs::lock().
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "scope/runtime/service/capture/capture.h"
#include "scope/runtime/service/graphs/graph.h"
#include "scope/runtime/service/graphs/graphs.h"
#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

inline Status no_graph() { return because(Status::kInvalidValue, "the graph was never made, or is destroyed already"); }
inline Status no_node() { return because(Status::kInvalidValue, "the node was never made, or is destroyed already"); }

// Says what a node is to do, or why not.
using MakeWork = std::function<Status(Work&)>;

// Handles of nodes, all different, all of the graph.
Status find_nodes(const Graph* graph, void* const* handles, std::size_t count, std::vector<Node*>& nodes);

// A capture into a graph of the program's own, whose nodes the first one comes behind; and of one under way, which
// nodes its stream's next one comes behind. Edges as refuse_edges() takes them.
Status begin_capture(Runtime& runtime, const Stream& stream, void* graph, void* const* before, std::size_t count,
                     bool are_ordinary, CaptureMode mode);
Status change_capture(Runtime& runtime, const Stream& stream, void* const* nodes, std::size_t count, bool are_ordinary,
                      bool replaces);
// `out`: where the handle of what was captured goes; null: a graph that the capture made is nobody's.
Status end_capture(Runtime& runtime, const Stream& stream, void** out);
Status destroy_graph(Runtime& runtime, void* graph);
// A copy of the program's own.
Status clone_graph(Runtime& runtime, const void* graph, void** out);
Status find_in_clone(const void* node, const void* clone, void** found);
// `out`: where the handle goes; null is refused.
Status add_node(void* graph, void* const* before, std::size_t count, const MakeWork& make, void** out);
// The node does something else of its kind from here on.
Status change_node(void* node, const MakeWork& make);
Status destroy_node(Runtime& runtime, void* node);

// Edges. One that is not ordinary, with a port or a type, is refused by name.
Status refuse_edges(Runtime& runtime, bool are_ordinary);
Status add_edges(Runtime& runtime, void* graph, void* const* from, void* const* to, std::size_t count,
                 bool are_ordinary);
Status remove_edges(void* graph, void* const* from, void* const* to, std::size_t count);

std::vector<Node*> nodes_of(const Graph& graph, bool roots_only);

// In the language of Graphviz, into a file: names, kinds and edges.
Status draw_graph(Runtime& runtime, const Graph& graph, const char* path);

}  // namespace tilescope::runtime
