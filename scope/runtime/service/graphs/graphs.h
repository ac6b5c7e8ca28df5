// The graphs and executable graphs that the program holds.
//
// Owns: Graphs. Guarantees: a handle that was never given out, or was destroyed, is recognised without being followed.
// Whoever reads or changes a graph holds lock().
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "scope/runtime/service/graphs/graph_exec.h"

namespace tilescope::runtime {

class Graphs {
public:
    std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock(mutex_); }

    Graph* keep(std::shared_ptr<Graph> graph);
    // False: the program has no such graph, or it lies in a node, which owns it.
    bool destroy(const void* handle);
    void* keep(std::shared_ptr<GraphExec> exec);
    std::shared_ptr<GraphExec> exec(const void* handle);
    std::shared_ptr<GraphExec> destroy_exec(const void* handle);
    void clear();

    // Counts launches, from 1.
    std::uint32_t next_launch() { return ++launches_; }
    // That many names of events which no program has: they are no addresses.
    std::uint64_t take_event_names(std::uint64_t count) { return events_.fetch_add(count); }

private:
    std::recursive_mutex mutex_;
    std::map<const void*, std::shared_ptr<Graph>> graphs_;
    std::map<const void*, std::shared_ptr<GraphExec>> execs_;
    std::atomic<std::uint32_t> launches_{0};
    std::atomic<std::uint64_t> events_{std::uint64_t{1} << 63U};
};

}  // namespace tilescope::runtime
