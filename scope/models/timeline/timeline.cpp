#include "scope/models/timeline/timeline.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tilescope::models {
namespace {

constexpr std::uint32_t kLegacy = 0;
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;  // numeric: of shares that add up to all of a device, our algorithm

}  // namespace

struct Timeline::Node {
    TimedWork work;
    std::vector<NodePointer> before;  // beside what stands before it in its stream
    std::uint64_t number = 0;
    double issued = 0, ready = -1, begin = 0, end = kNever;  // the end, if it goes on at this pace
    double pace = 1;
    bool has_begun = false, is_done = false;
};

Timeline::Timeline(unsigned engines, std::uint64_t queue_depth, std::function<void(const TimedSpan&)> told)
    : engines_(engines), queue_depth_(queue_depth), told_(std::move(told)) {
    streams_[kLegacy];
}

// What waits without being told: work across the legacy default stream and those that it blocks.
void Timeline::enter(std::uint32_t stream, Node& node) {
    const auto add = [&](const Stream& other) {
        if (other.last && !other.last->is_done) node.before.push_back(other.last);
    };
    if (stream == kLegacy) {
        for (const auto& [number, other] : streams_)
            if (number != kLegacy && other.is_blocking) add(other);
    } else if (streams_[stream].is_blocking) {
        add(streams_[kLegacy]);
    }
}

void Timeline::append(std::uint32_t stream, NodePointer node) {
    advance(host_);
    while (!node->work.is_of_graph && pending_ >= queue_depth_ && step(kNever)) host_ = std::max(host_, clock_);
    node->number = issued_++;
    node->issued = host_;
    pending_ += node->work.is_of_graph ? 0 : 1;
    Stream& own = streams_[stream];
    own.last = node;
    own.pending.push_back(std::move(node));
}

void Timeline::issue(const TimedWork& work) {
    auto node = std::make_shared<Node>();
    node->work = work;
    enter(work.stream, *node);
    append(work.stream, std::move(node));
}

void Timeline::record(std::uint64_t event, std::uint32_t stream, bool is_of_graph) {
    auto node = std::make_shared<Node>();
    node->work = {.stream = stream, .engine = Engine::kNone, .is_of_graph = is_of_graph};
    enter(stream, *node);
    events_[event] = node;
    append(stream, std::move(node));
}

void Timeline::wait(std::uint32_t stream, std::uint64_t event, bool is_of_graph) {
    const auto found = events_.find(event);
    if (found == events_.end()) return;
    auto node = std::make_shared<Node>();
    node->work = {.stream = stream, .engine = Engine::kNone, .is_of_graph = is_of_graph};
    enter(stream, *node);
    if (!found->second->is_done) node->before.push_back(found->second);
    append(stream, std::move(node));
}

std::vector<Timeline::NodePointer> Timeline::all_of(std::uint32_t stream) {
    Node all;
    enter(stream, all);
    if (const NodePointer& last = streams_[stream].last) all.before.push_back(last);
    return all.before;
}

void Timeline::await(const std::vector<NodePointer>& nodes, std::uint32_t stream, std::uint64_t tag) {
    advance(host_);
    const double before = host_;
    for (const NodePointer& node : nodes) {
        while (!node->is_done && step(kNever)) {
        }
        host_ = std::max(host_, node->end);
    }
    if (host_ <= before) return;
    totals_.host_waits += host_ - before;
    told_({Engine::kNone, stream, tag, before, host_});
}

void Timeline::hold(double microseconds, std::uint64_t tag) {
    advance(host_);
    totals_.host_waits += microseconds;
    told_({Engine::kNone, 0, tag, host_, host_ + microseconds});
    host_ += microseconds;
}

void Timeline::synchronize_stream(std::uint32_t stream, std::uint64_t tag) { await(all_of(stream), stream, tag); }

void Timeline::synchronize_event(std::uint64_t event, std::uint64_t tag) {
    if (const auto found = events_.find(event); found != events_.end()) await({found->second}, 0, tag);
}

void Timeline::synchronize_device(std::uint64_t tag) {
    std::vector<NodePointer> nodes;
    for (const auto& [number, stream] : streams_)
        if (stream.last) nodes.push_back(stream.last);
    await(nodes, 0, tag);
}

std::optional<double> Timeline::completed(std::uint64_t event) {
    const auto found = events_.find(event);
    if (found == events_.end()) return std::nullopt;
    advance(host_);
    while (!found->second->is_done && step(kNever)) {
    }
    // Whoever asks has seen it complete, and so has waited for it.
    host_ = std::max(host_, clock_);
    return found->second->end;
}

void Timeline::finish() {
    advance(host_);
    while (step(kNever)) {
    }
    host_ = std::max(host_, clock_);
    totals_.microseconds = host_;
}

bool Timeline::is_ready(const Node& node) const {
    return node.issued <= clock_ &&
           std::all_of(node.before.begin(), node.before.end(), [](const NodePointer& other) { return other->is_done; });
}

bool Timeline::has_room_for(const Node& node) const {
    double share = node.work.share;
    for (const NodePointer& other : running_) {
        const bool both_copy = node.work.engine != Engine::kCompute && other->work.engine != Engine::kCompute;
        if (both_copy && (engines_ < 2 || node.work.engine == other->work.engine)) return false;
        if (other->work.engine == Engine::kCompute) share += other->work.share;
    }
    return node.work.engine != Engine::kCompute || share <= 1 + kRounding;
}

// Of each engine what has been ready the longest goes first, and none overtakes it. True: something was done at once,
// and more may be ready.
bool Timeline::start_what_can() {
    std::vector<Node*> ready;
    for (auto& [number, stream] : streams_) {
        if (stream.pending.empty() || stream.pending.front()->has_begun || !is_ready(*stream.pending.front())) continue;
        Node& node = *stream.pending.front();
        if (node.ready < 0) node.ready = clock_;
        if (node.work.engine == Engine::kNone) {
            node.begin = node.end = clock_;
            end(node);
            return true;
        }
        ready.push_back(&node);
    }
    std::sort(ready.begin(), ready.end(), [](const Node* a, const Node* b) {
        return std::pair(a->ready, a->number) < std::pair(b->ready, b->number);
    });
    bool is_full[kEngines] = {};
    for (Node* const node : ready) {
        bool& full = is_full[static_cast<unsigned>(node->work.engine)];
        if (full || !has_room_for(*node)) {
            full = true;
            continue;
        }
        node->has_begun = true;
        node->begin = clock_;
        node->end = clock_ + node->work.microseconds;
        running_.push_back(streams_[node->work.stream].pending.front());
    }
    return false;
}

// Kernels that run from here on have the paces that they leave each other.
void Timeline::share_out() {
    std::vector<Node*> kernels;
    std::vector<Shares> takes;
    for (const NodePointer& node : running_) {
        if (node->work.engine != Engine::kCompute) continue;
        kernels.push_back(node.get());
        takes.push_back(node->work.takes);
    }
    const std::vector<double> all = paces(takes);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        Node& node = *kernels[i];
        if (all[i] == node.pace) continue;
        node.end = clock_ + (node.end - clock_) * node.pace / all[i];
        node.pace = all[i];
    }
}

double Timeline::next_moment() const {
    double next = kNever;
    for (const NodePointer& node : running_) next = std::min(next, node->end);
    for (const auto& [number, stream] : streams_) {
        if (stream.pending.empty()) continue;
        const Node& node = *stream.pending.front();
        if (node.issued > clock_) next = std::min(next, node.issued);
    }
    return next;
}

// Nothing begins or ends in between.
void Timeline::pass(double until) {
    bool computes = false, copies = false;
    for (const NodePointer& node : running_) (node->work.engine == Engine::kCompute ? computes : copies) = true;
    const double time = until - clock_;
    if (computes) totals_.kernels += time;
    if (copies) totals_.copies += time;
    if (computes && copies) totals_.hidden += time;
    clock_ = until;
}

void Timeline::end(Node& node) {
    node.is_done = true;
    node.before.clear();  // or chains of them would live on
    pending_ -= node.work.is_of_graph ? 0 : 1;
    streams_[node.work.stream].pending.pop_front();
}

bool Timeline::step(double limit) {
    while (start_what_can()) {
    }
    share_out();
    const double next = next_moment();
    if (next > limit || next == kNever) return false;
    pass(next);
    std::vector<NodePointer> ended;
    for (const NodePointer& node : running_)
        if (node->end <= clock_) ended.push_back(node);
    std::erase_if(running_, [&](const NodePointer& node) { return node->end <= clock_; });
    for (const NodePointer& node : ended) {
        end(*node);
        told_({node->work.engine, node->work.stream, node->work.tag, node->begin, node->end});
    }
    return true;
}

void Timeline::advance(double until) {
    while (step(until)) {
    }
    if (clock_ < until) pass(until);
    totals_.microseconds = std::max(host_, clock_);
}

}  // namespace tilescope::models
