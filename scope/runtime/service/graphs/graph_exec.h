// Executable graphs: a copy of a graph, laid out so that it can be launched.
//
// Owns: GraphExec. Guarantees: a launch does the work of all nodes, each behind those that it depends on, always in the
// same order; to those who follow the run it is work of streams: a chain of nodes is work of one stream, the first
// chain that of the launch's own, and every other edge an event that one stream records and the other waits for. What
// the stream has before comes before all of it, what it is given later after all of it, and so it is with the launches
// of one executable graph. Does not model: launches by kernels; priorities of nodes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "scope/runtime/service/graphs/graph.h"

namespace tilescope::runtime {

struct Stream;

// Whether an executable graph can do what another graph does, and where it cannot.
enum class UpdateResult : std::uint8_t {
    kDone,
    kError,
    kOtherShape,  // of nodes or edges
    kOtherKind,   // of a node
    kOtherParameters,
    kOtherAttributes,
};
struct Update {
    UpdateResult result = UpdateResult::kError;
    Node* node = nullptr;  // of the other graph
};

class GraphExec {
public:
    // Of a graph without cycles.
    GraphExec(const Graph& graph, unsigned long long flags);

    unsigned long long flags() const { return flags_; }
    // Nothing else looks at the nodes meanwhile.
    std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock(mutex_); }
    // The copy of a node of the graph that this was made from, or of one inside a node of that; null: there is none.
    Node* copy_of(const Node& node) const;
    // Takes over what the nodes of a graph do, which has to have the same shape. The whole, or a graph inside a node.
    Update update(const Graph& from) { return update(*graph_, from); }
    Update update(const Graph& graph, const Graph& from);
    // Whether a node may do the other thing of its kind; the answers are those of an H100 (CUDA 13.0).
    static UpdateResult check_change(const Work& now, const Work& next);

    Status launch(Runtime& runtime, const Stream& stream);
    // Its own streams are no more.
    void end(Runtime& runtime);

private:
    struct Step {
        Node* node = nullptr;
        std::vector<std::size_t> before;
        std::size_t lane = 0;
        bool is_awaited = false;          // by another lane
        std::vector<std::size_t> awaits;  // of `before`, those on other lanes
    };
    using Places = std::vector<std::size_t>;

    Places lay_out(const Graph& graph, const Places& entry);
    void choose_lanes();
    void open_lanes(Runtime& runtime);
    Status run(Runtime& runtime, const Step& step, std::uint32_t stream, std::uint32_t launch);
    void learn(const Graph& graph);

    std::unique_ptr<Graph> graph_;
    unsigned long long flags_;
    std::map<std::uint64_t, Node*> copies_;  // by the id of what was copied
    std::vector<Step> steps_;                // in the order in which they run
    std::vector<std::uint32_t> lanes_;       // streams; the first stands for the launch's own
    std::size_t lane_count_ = 1;
    std::uint64_t events_;  // names of events: its begin, its end, and a step's each
    std::uint32_t last_stream_ = 0;
    bool was_launched_ = false;
    std::recursive_mutex mutex_;
};

}  // namespace tilescope::runtime
