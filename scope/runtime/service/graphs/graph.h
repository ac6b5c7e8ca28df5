// Graphs as programs build and capture them: nodes, what each of them does, and edges.
//
// Owns: Work, Node, Graph. Guarantees: what a node does is a copy of what the call said; nodes stand in the order in
// which they came, and so do the edges of each. Nothing is checked here that needs the device. A node's address is its
// handle. Does not model: conditional nodes, external semaphores, allocations within a graph.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scope/runtime/service/graphs/user_objects.h"
#include "scope/runtime/service/launch/launch.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/memory/sets.h"

namespace tilescope::runtime {

class Graph;

// A function of the host's code.
struct HostWork {
    void (*function)(void*) = nullptr;
    void* data = nullptr;
};
struct ChildWork {
    std::shared_ptr<Graph> graph;
};
struct EmptyWork {};
struct RecordWork {
    void* event = nullptr;
};
struct WaitWork {
    void* event = nullptr;
};
using Work = std::variant<EmptyWork, KernelLaunch, Copy, Set, HostWork, ChildWork, RecordWork, WaitWork>;

// In the order of Work.
enum class NodeKind : std::uint8_t { kEmpty, kKernel, kCopy, kSet, kHost, kGraph, kRecordEvent, kWaitEvent };
NodeKind kind_of(const Work& work);

// Where the host's code asked for a node.
struct AskedAt {
    const void* from = nullptr;           // return address behind the call
    std::optional<std::uint64_t> site{};  // as call_site() has it; nothing: nobody asks for that
};

struct Node {
    Node();
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    // The node whose handle this is; null: none.
    static Node* find(const void* handle);

    std::uint64_t id = 0;      // no other node ever has it
    std::uint64_t origin = 0;  // of a copy: the id of the node that was copied; else its own
    Graph* graph = nullptr;
    Work work;
    std::vector<Node*> before, after;
    bool is_enabled = true;
    AskedAt asked{};
    std::vector<void*> shown{};  // addresses of a kernel's parameters, for programs that ask
};

class Graph {
public:
    Graph();
    ~Graph();
    // The graph whose handle this is; null: none. Of those inside of nodes, too.
    static Graph* find(const void* handle);
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
    Node* add(Work work, const std::vector<Node*>& before, AskedAt asked);
    void remove(Node* node);
    bool has_edge(const Node* from, const Node* to) const;
    // An edge that is not there yet.
    void connect(Node* from, Node* to);
    void disconnect(Node* from, Node* to);
    std::vector<std::pair<Node*, Node*>> edges() const;
    // Every node behind those that it depends on, otherwise in the order in which they came; empty if that cannot be.
    std::vector<Node*> in_order() const;
    bool has_cycle() const { return !nodes_.empty() && in_order().empty(); }
    // One that comes behind itself; null: there is none.
    Node* on_cycle() const;
    // Objects of the program's that it keeps alive, as do its copies.
    HeldObjects& held() { return held_; }
    // With copies of the graphs inside it.
    std::unique_ptr<Graph> copy() const;

private:
    HeldObjects held_;
    std::vector<std::unique_ptr<Node>> nodes_;
};

// The nodes and all that they come behind.
std::set<const Node*> with_all_before(const std::vector<Node*>& nodes);

// What a node does, copied: a graph inside it becomes another one.
Work copy_of(const Work& work);

}  // namespace tilescope::runtime
