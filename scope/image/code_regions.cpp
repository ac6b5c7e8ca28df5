// A block b and a block c behind it run equally often if b dominates c, c postdominates b, and both have the same
// innermost loop; "postdominates" within a turn: the way back to a loop's head counts as a way to each of its exits.
#include "scope/image/code_regions.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tilescope::image {
namespace {

using Node = std::uint32_t;
using Edges = std::vector<std::vector<Node>>;

constexpr Node kNone = 0xffffffffu;
constexpr std::size_t kMaxLoops = 1024;

Edges reversed(const Edges& edges) {
    Edges back(edges.size());
    for (Node from = 0; from < edges.size(); ++from)
        for (Node to : edges[from]) back[to].push_back(from);
    return back;
}

// Nodes that `root` reaches, each before those behind it save for ways back.
std::vector<Node> reverse_postorder(const Edges& edges, Node root) {
    std::vector<Node> order;
    std::vector<char> seen(edges.size(), 0);
    std::vector<std::pair<Node, std::size_t>> path{{root, 0}};
    seen[root] = 1;
    while (!path.empty()) {
        auto& [node, next] = path.back();
        if (next == edges[node].size()) {
            order.push_back(node);
            path.pop_back();
            continue;
        }
        const Node to = edges[node][next++];
        if (seen[to]) continue;
        seen[to] = 1;
        path.emplace_back(to, 0);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// Who dominates whom, seen from one root.
class Dominators {
public:
    Dominators(const Edges& edges, Node root)
        : order_(reverse_postorder(edges, root)), place_(edges.size(), kNone), above_(edges.size(), kNone) {
        for (Node i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
        const Edges back = reversed(edges);
        above_[root] = root;
        for (bool changed = true; changed;) {
            if (passes_left_-- == 0) return;
            changed = false;
            for (const Node node : order_) changed |= node != root && settle(node, back[node]);
        }
        number_tree(root);
    }

    // False of graphs that are so tangled that it would take long.
    bool is_settled() const { return !first_.empty(); }
    const std::vector<Node>& order() const { return order_; }
    std::uint32_t place(Node node) const { return place_[node]; }
    bool reaches(Node node) const { return place_[node] != kNone; }
    Node above(Node node) const { return above_[node]; }
    bool dominates(Node upper, Node lower) const {
        return reaches(upper) && reaches(lower) && first_[upper] <= first_[lower] && last_[lower] <= last_[upper];
    }

private:
    bool settle(Node node, const std::vector<Node>& predecessors) {
        Node found = kNone;
        for (const Node from : predecessors) {
            if (place_[from] == kNone || above_[from] == kNone) continue;
            found = found == kNone ? from : meet(from, found);
        }
        if (found == above_[node]) return false;
        above_[node] = found;
        return true;
    }
    Node meet(Node a, Node b) const {
        while (a != b) {
            while (place_[a] > place_[b]) a = above_[a];
            while (place_[b] > place_[a]) b = above_[b];
        }
        return a;
    }
    // Where a walk over the tree enters and leaves each node.
    void number_tree(Node root) {
        Edges below(above_.size());
        for (const Node node : order_)
            if (node != root) below[above_[node]].push_back(node);
        first_.assign(above_.size(), 0);
        last_.assign(above_.size(), 0);
        std::uint32_t time = 0;
        std::vector<std::pair<Node, std::size_t>> path{{root, 0}};
        first_[root] = time++;
        while (!path.empty()) {
            auto& [node, next] = path.back();
            if (next == below[node].size()) {
                last_[node] = time++;
                path.pop_back();
                continue;
            }
            const Node child = below[node][next++];
            first_[child] = time++;
            path.emplace_back(child, 0);
        }
    }

    std::vector<Node> order_;
    std::vector<std::uint32_t> place_;  // in order_
    std::vector<Node> above_;
    std::vector<std::uint32_t> first_, last_;
    unsigned passes_left_ = 32;
};

struct Loop {
    Node head = 0;
    std::vector<Node> tails;
    std::vector<Node> body;
};

// All blocks that run into a tail without passing the head.
void fill_body(Loop& loop, const Edges& back) {
    std::vector<char> in(back.size(), 0);
    in[loop.head] = 1;
    loop.body = {loop.head};
    std::vector<Node> open = loop.tails;
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (in[node]) continue;
        in[node] = 1;
        loop.body.push_back(node);
        open.insert(open.end(), back[node].begin(), back[node].end());
    }
}

class Regions {
public:
    explicit Regions(const FlowGraph& graph)
        : blocks_(static_cast<Node>(graph.successors.size())), edges_(with_root(graph)), dominators_(edges_, blocks_) {}

    std::vector<Node> find(const FlowGraph& graph) {
        std::vector<Node> region(blocks_);
        std::iota(region.begin(), region.end(), 0);
        if (!dominators_.is_settled() || !find_loops()) return region;
        const Edges forward = one_turn(graph);
        const Node end = static_cast<Node>(forward.size() - 1);
        if (has_cycle(forward)) return region;
        const Dominators behind(reversed(forward), end);
        if (!behind.is_settled()) return region;
        for (const Node block : dominators_.order()) {
            if (block == blocks_) continue;
            for (Node above = dominators_.above(block); above != blocks_; above = dominators_.above(above))
                if (inner_[above] == inner_[block] && behind.dominates(block, above)) {
                    region[block] = region[above];
                    break;
                }
        }
        return region;
    }

private:
    // The root is a node of its own, behind the blocks.
    static Edges with_root(const FlowGraph& graph) {
        Edges edges = graph.successors;
        edges.push_back(graph.roots);
        return edges;
    }

    // False if some way back leads to a block that does not dominate it.
    bool find_loops() {
        std::map<Node, Loop> by_head;
        for (const Node from : dominators_.order())
            for (const Node to : edges_[from]) {
                if (dominators_.place(to) > dominators_.place(from)) continue;
                if (!dominators_.dominates(to, from)) return false;
                by_head[to].head = to;
                by_head[to].tails.push_back(from);
            }
        if (by_head.size() > kMaxLoops) return false;
        Edges back = reversed(edges_);
        for (auto& from : back) std::erase_if(from, [&](Node node) { return !dominators_.reaches(node); });
        for (auto& [head, loop] : by_head) {
            fill_body(loop, back);
            loops_.push_back(std::move(loop));
        }
        std::stable_sort(loops_.begin(), loops_.end(),
                         [](const Loop& a, const Loop& b) { return a.body.size() < b.body.size(); });
        inner_.assign(blocks_ + 1, kNone);
        for (Node i = 0; i < loops_.size(); ++i)
            for (const Node node : loops_[i].body)
                if (inner_[node] == kNone) inner_[node] = i;
        return true;
    }

    // The graph in which each loop runs once: the blocks, the root, a node for each loop's ways back, and the end.
    Edges one_turn(const FlowGraph& graph) const {
        Edges forward(blocks_ + 1 + loops_.size() + 1);
        const Node end = static_cast<Node>(forward.size() - 1);
        std::map<Node, Node> turn_of;  // by head
        for (Node i = 0; i < loops_.size(); ++i) turn_of[loops_[i].head] = blocks_ + 1 + i;
        const auto target = [&](Node from, Node to) {
            const bool is_back = dominators_.place(to) <= dominators_.place(from);
            return is_back ? turn_of.at(to) : to;
        };
        for (const Node from : dominators_.order()) {
            for (const Node to : edges_[from]) forward[from].push_back(target(from, to));
            if (from < blocks_ && graph.ends[from]) forward[from].push_back(end);
        }
        for (Node i = 0; i < loops_.size(); ++i) {
            std::vector<char> in(blocks_ + 1, 0);
            for (const Node node : loops_[i].body) in[node] = 1;
            std::vector<Node>& exits = forward[blocks_ + 1 + i];
            for (const Node from : loops_[i].body) {
                for (const Node to : edges_[from])
                    if (!in[to]) exits.push_back(target(from, to));
                if (graph.ends[from]) exits.push_back(end);
            }
            std::sort(exits.begin(), exits.end());
            exits.erase(std::unique(exits.begin(), exits.end()), exits.end());
        }
        return forward;
    }

    bool has_cycle(const Edges& forward) const {
        const std::vector<Node> order = reverse_postorder(forward, blocks_);
        std::vector<std::uint32_t> place(forward.size(), kNone);
        for (Node i = 0; i < order.size(); ++i) place[order[i]] = i;
        for (const Node from : order)
            for (const Node to : forward[from])
                if (place[to] <= place[from]) return true;
        return false;
    }

    Node blocks_;
    Edges edges_;
    Dominators dominators_;
    std::vector<Loop> loops_;  // smaller ones first
    std::vector<Node> inner_;  // by block: index of its innermost loop
};

}  // namespace

std::vector<std::uint32_t> equal_regions(const FlowGraph& graph) {
    if (graph.successors.size() <= kMaxFlowBlocks) return Regions(graph).find(graph);
    std::vector<std::uint32_t> alone(graph.successors.size());
    std::iota(alone.begin(), alone.end(), 0);
    return alone;
}

}  // namespace tilescope::image
