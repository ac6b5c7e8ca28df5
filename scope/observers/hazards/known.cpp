#include "scope/observers/hazards/known.h"

#include <algorithm>

namespace tilescope::observers {

namespace {
constexpr unsigned kBits = 4, kFan = 1u << kBits;
}  // namespace

// Level 0 holds times, the others nodes of the level below.
struct Known::Node {
    std::uint32_t references = 1;
    std::uint32_t level = 0;
    union {
        Node* children[kFan];
        std::uint32_t times[kFan];
    };
};

namespace {

using Node = Known::Node;

Node* make(std::uint32_t level) {
    Node* node = new Node;
    node->level = level;
    std::fill_n(node->children, kFan, nullptr);
    if (level == 0) std::fill_n(node->times, kFan, 0u);
    return node;
}

Node* take(Node* node) {
    if (node != nullptr) ++node->references;
    return node;
}

void drop(Node* node) {
    if (node == nullptr || --node->references != 0) return;
    if (node->level != 0)
        for (Node* child : node->children) drop(child);
    delete node;
}

bool holds(const Node* root, std::uint64_t key) {
    const unsigned bits = kBits * (root->level + 1);
    return bits >= 64 || key >> bits == 0;
}

// The node as the first child of one that is a level higher; takes over the reference.
Node* lifted(Node* node) {
    Node* above = make(node->level + 1);
    above->children[0] = node;
    return above;
}

// Takes over the reference to `node`, which may be null.
Node* with(Node* node, std::uint32_t level, std::uint64_t key, std::uint32_t time) {
    const auto at = static_cast<unsigned>(key >> (kBits * level)) % kFan;
    if (node != nullptr && level == 0 && node->times[at] >= time) return node;
    if (node == nullptr) {
        node = make(level);
    } else if (node->references > 1) {
        Node* copy = make(level);
        if (level == 0)
            std::copy_n(node->times, kFan, copy->times);
        else
            for (unsigned i = 0; i < kFan; ++i) copy->children[i] = take(node->children[i]);
        drop(node);
        node = copy;
    }
    if (level == 0)
        node->times[at] = time;
    else
        node->children[at] = with(node->children[at], level - 1, key, time);
    return node;
}

// Of two nodes of one level; gives a new reference.
Node* joined_nodes(Node* a, Node* b) {
    if (a == b || b == nullptr) return take(a);
    if (a == nullptr) return take(b);
    Node* result = make(a->level);
    bool is_a = true, is_b = true;
    for (unsigned i = 0; i < kFan; ++i) {
        if (a->level == 0) {
            result->times[i] = std::max(a->times[i], b->times[i]);
            is_a = is_a && result->times[i] == a->times[i];
            is_b = is_b && result->times[i] == b->times[i];
        } else {
            result->children[i] = joined_nodes(a->children[i], b->children[i]);
            is_a = is_a && result->children[i] == a->children[i];
            is_b = is_b && result->children[i] == b->children[i];
        }
    }
    if (!is_a && !is_b) return result;
    drop(result);
    return take(is_a ? a : b);
}

}  // namespace

Known::Known(const Known& other) : root_(take(other.root_)) {}
Known::~Known() { drop(root_); }

std::uint32_t Known::of(std::uint64_t key) const {
    const Node* node = root_;
    if (node == nullptr || !holds(node, key)) return 0;
    while (node != nullptr && node->level != 0)
        node = node->children[static_cast<unsigned>(key >> (kBits * node->level)) % kFan];
    return node == nullptr ? 0 : node->times[key % kFan];
}

void Known::add(std::uint64_t key, std::uint32_t time) {
    if (time == 0) return;
    if (root_ == nullptr) root_ = make(3);
    while (!holds(root_, key)) root_ = lifted(root_);
    root_ = with(root_, root_->level, key, time);
}

void Known::join(const Known& other) {
    if (other.root_ == nullptr || root_ == other.root_) return;
    if (root_ == nullptr) {
        root_ = take(other.root_);
        return;
    }
    Node* theirs = take(other.root_);
    while (root_->level < theirs->level) root_ = lifted(root_);
    while (theirs->level < root_->level) theirs = lifted(theirs);
    Node* both = joined_nodes(root_, theirs);
    drop(theirs);
    drop(root_);
    root_ = both;
}

}  // namespace tilescope::observers
