#include "scope/runtime/service/graphs/graphs.h"

#include <utility>

namespace tilescope::runtime {

Graph* Graphs::keep(std::shared_ptr<Graph> graph) {
    const std::lock_guard lock(mutex_);
    Graph* const handle = graph.get();
    graphs_.emplace(handle, std::move(graph));
    return handle;
}

bool Graphs::destroy(const void* handle) {
    const std::lock_guard lock(mutex_);
    return graphs_.erase(handle) != 0;
}

void* Graphs::keep(std::shared_ptr<GraphExec> exec) {
    const std::lock_guard lock(mutex_);
    void* const handle = exec.get();
    execs_.emplace(handle, std::move(exec));
    return handle;
}

std::shared_ptr<GraphExec> Graphs::exec(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = execs_.find(handle);
    return found == execs_.end() ? nullptr : found->second;
}

std::shared_ptr<GraphExec> Graphs::destroy_exec(const void* handle) {
    const std::lock_guard lock(mutex_);
    auto found = execs_.extract(handle);
    return found.empty() ? nullptr : std::move(found.mapped());
}

void Graphs::clear() {
    const std::lock_guard lock(mutex_);
    execs_.clear();
    graphs_.clear();
}

}  // namespace tilescope::runtime
