#include "scope/runtime/service/graphs/graph.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <queue>
#include <set>

namespace tilescope::runtime {
namespace {

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

// Addresses of what is there, as programs hold them.
class Living {
public:
    void add(const void* address) {
        const std::lock_guard lock(mutex_);
        addresses_.insert(address);
    }
    void remove(const void* address) {
        const std::lock_guard lock(mutex_);
        addresses_.erase(address);
    }
    bool has(const void* address) {
        const std::lock_guard lock(mutex_);
        return addresses_.count(address) != 0;
    }

private:
    std::mutex mutex_;
    std::set<const void*> addresses_;
};

// Never destroyed: the runtime is not, either.
Living& living_nodes() {
    static auto* const kept = new Living;
    return *kept;
}
Living& living_graphs() {
    static auto* const kept = new Living;
    return *kept;
}

}  // namespace

Node::Node() { living_nodes().add(this); }
Node::~Node() { living_nodes().remove(this); }
Node* Node::find(const void* handle) {
    return living_nodes().has(handle) ? static_cast<Node*>(const_cast<void*>(handle)) : nullptr;
}

Graph::Graph() { living_graphs().add(this); }
Graph::~Graph() { living_graphs().remove(this); }
Graph* Graph::find(const void* handle) {
    return living_graphs().has(handle) ? static_cast<Graph*>(const_cast<void*>(handle)) : nullptr;
}

NodeKind kind_of(const Work& work) {
    static_assert(std::variant_size_v<Work> == static_cast<std::size_t>(NodeKind::kWaitEvent) + 1);
    return static_cast<NodeKind>(work.index());
}

Work copy_of(const Work& work) {
    if (const auto* child = std::get_if<ChildWork>(&work)) return ChildWork{child->graph->copy()};
    return work;
}

Node* Graph::add(Work work, const std::vector<Node*>& before, AskedAt asked) {
    Node* const node = nodes_.emplace_back(std::make_unique<Node>()).get();
    node->id = node->origin = next_id();
    node->graph = this;
    node->work = std::move(work);
    node->asked = asked;
    for (Node* const other : before) connect(other, node);
    return node;
}

void Graph::remove(Node* node) {
    for (Node* const other : node->before) std::erase(other->after, node);
    for (Node* const other : node->after) std::erase(other->before, node);
    std::erase_if(nodes_, [&](const auto& own) { return own.get() == node; });
}

bool Graph::has_edge(const Node* from, const Node* to) const {
    return std::find(to->before.begin(), to->before.end(), from) != to->before.end();
}

void Graph::connect(Node* from, Node* to) {
    from->after.push_back(to);
    to->before.push_back(from);
}

void Graph::disconnect(Node* from, Node* to) {
    std::erase(from->after, to);
    std::erase(to->before, from);
}

std::vector<std::pair<Node*, Node*>> Graph::edges() const {
    std::vector<std::pair<Node*, Node*>> all;
    for (const auto& node : nodes_)
        for (Node* const next : node->after) all.emplace_back(node.get(), next);
    return all;
}

std::vector<Node*> Graph::in_order() const {
    std::map<const Node*, std::size_t> places, left;
    const auto is_later = [&](const Node* a, const Node* b) { return places.at(a) > places.at(b); };
    std::priority_queue<Node*, std::vector<Node*>, decltype(is_later)> ready(is_later);
    for (const auto& node : nodes_) {
        places.emplace(node.get(), places.size());
        left.emplace(node.get(), node->before.size());
    }
    for (const auto& node : nodes_)
        if (node->before.empty()) ready.push(node.get());
    std::vector<Node*> order;
    while (!ready.empty()) {
        Node* const node = ready.top();
        ready.pop();
        order.push_back(node);
        for (Node* const next : node->after)
            if (--left[next] == 0) ready.push(next);
    }
    return order.size() == nodes_.size() ? order : std::vector<Node*>{};
}

Node* Graph::on_cycle() const {
    if (!has_cycle()) return nullptr;
    for (const auto& node : nodes_)
        if (with_all_before(node->before).count(node.get()) != 0) return node.get();
    return nullptr;
}

std::set<const Node*> with_all_before(const std::vector<Node*>& nodes) {
    std::set<const Node*> seen(nodes.begin(), nodes.end());
    std::vector<const Node*> left(nodes.begin(), nodes.end());
    while (!left.empty()) {
        const Node* const node = left.back();
        left.pop_back();
        for (const Node* const other : node->before)
            if (seen.insert(other).second) left.push_back(other);
    }
    return seen;
}

std::unique_ptr<Graph> Graph::copy() const {
    auto made = std::make_unique<Graph>();
    made->held_ = held_;
    std::map<const Node*, Node*> copies;
    for (const auto& node : nodes_) {
        Node* const twin = made->add(copy_of(node->work), {}, node->asked);
        twin->origin = node->id;
        twin->is_enabled = node->is_enabled;
        copies.emplace(node.get(), twin);
    }
    for (const auto& [from, to] : edges()) made->connect(copies.at(from), copies.at(to));
    return made;
}

}  // namespace tilescope::runtime
