#include "scope/runtime/service/graphs/graph_exec.h"

#include <algorithm>
#include <utility>

#include "scope/runtime/service/graphs/graphs.h"
#include "scope/runtime/service/memory/copies.h"
#include "scope/runtime/service/streams/host_function.h"
#include "scope/runtime/service/watch/host_hazards.h"

namespace tilescope::runtime {
namespace {

using machine::StreamEventKind;

constexpr std::uint64_t kBegin = 0, kEnd = 1, kFirstStep = 2;  // of the names of events

void tell_event(Runtime& runtime, StreamEventKind kind, std::uint32_t stream, std::uint64_t event,
                std::uint32_t launch) {
    runtime.session().observers().on_stream({kind, stream, event, true, launch});
}

// While one of these lives, the call under way counts as the one that asked for a node.
class Asking {
public:
    explicit Asking(const AskedAt& asked) : before_(std::exchange(called_from(), asked.from)), site_(asked.site) {}
    ~Asking() { called_from() = before_; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

private:
    const void* before_;
    CalledAt site_;
};

// The work of one node, on a stream.
class Run {
public:
    Run(Runtime& runtime, const machine::Issue& issue) : runtime_(runtime), issue_(issue) {}

    Status operator()(const EmptyWork&) const { return Status::kOk; }
    Status operator()(const ChildWork&) const { return Status::kOk; }
    Status operator()(const KernelLaunch& launch) const { return run_kernel(runtime_, launch, issue_); }
    Status operator()(const Copy& copy) const { return run_copy(runtime_, copy, issue_); }
    Status operator()(const Set& set) const { return run_set(runtime_, set, issue_); }
    Status operator()(const HostWork& host) const {
        call_host_function(runtime_, issue_, [&] { host.function(host.data); });
        return Status::kOk;
    }
    Status operator()(const RecordWork& record) const {
        if (!runtime_.handles().record_event(record.event)) return Status::kInvalidHandle;
        tell_stream(runtime_, StreamEventKind::kRecord, issue_.stream, record.event, true, issue_.graph);
        return Status::kOk;
    }
    Status operator()(const WaitWork& wait) const {
        if (!runtime_.handles().event(wait.event)) return Status::kInvalidHandle;
        tell_stream(runtime_, StreamEventKind::kWait, issue_.stream, wait.event, true, issue_.graph);
        return Status::kOk;
    }

private:
    Runtime& runtime_;
    machine::Issue issue_;
};

}  // namespace

GraphExec::GraphExec(const Graph& graph, unsigned long long flags) : graph_(graph.copy()), flags_(flags) {
    learn(*graph_);
    lay_out(*graph_, {});
    choose_lanes();
    events_ = Runtime::get().graphs().take_event_names(kFirstStep + steps_.size());
}

void GraphExec::learn(const Graph& graph) {
    for (const auto& node : graph.nodes()) {
        copies_.emplace(node->origin, node.get());
        if (const auto* child = std::get_if<ChildWork>(&node->work)) learn(*child->graph);
    }
}

Node* GraphExec::copy_of(const Node& node) const {
    const auto found = copies_.find(node.id);
    return found == copies_.end() ? nullptr : found->second;
}

// Appends the steps of a graph whose roots come behind `entry`; gives those that whatever comes behind it has to wait
// for. A graph inside a node stands where the node would.
GraphExec::Places GraphExec::lay_out(const Graph& graph, const Places& entry) {
    std::map<const Node*, Places> ends;
    Places last;
    for (Node* const node : graph.in_order()) {
        Places before;
        for (const Node* const other : node->before)
            for (const std::size_t place : ends.at(other))
                if (std::find(before.begin(), before.end(), place) == before.end()) before.push_back(place);
        if (node->before.empty()) before = entry;
        Places own;
        const auto* const child = std::get_if<ChildWork>(&node->work);
        if (child != nullptr && !child->graph->nodes().empty()) {
            own = lay_out(*child->graph, before);
        } else {
            own = {steps_.size()};
            steps_.push_back({.node = node, .before = std::move(before), .awaits = {}});
        }
        if (node->after.empty()) last.insert(last.end(), own.begin(), own.end());
        ends.emplace(node, std::move(own));
    }
    return last;
}

// Chains: a step goes on with the first lane whose last step it comes behind, or begins one.
void GraphExec::choose_lanes() {
    constexpr std::size_t kNobody = ~std::size_t{0};
    std::vector<std::size_t> last{kNobody};  // step of each lane
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        Step& step = steps_[i];
        std::size_t lane = step.before.empty() && last[0] == kNobody ? 0 : last.size();
        for (const std::size_t place : step.before)
            if (last[steps_[place].lane] == place) lane = std::min(lane, steps_[place].lane);
        if (lane == last.size()) last.push_back(kNobody);
        last[lane] = i;
        step.lane = lane;
        for (const std::size_t place : step.before)
            if (steps_[place].lane != lane) step.awaits.push_back(place);
    }
    for (const Step& step : steps_)
        for (const std::size_t place : step.awaits) steps_[place].is_awaited = true;
    lane_count_ = last.size();
}

// The lanes' streams are nobody's but the graph's, and know no default stream.
void GraphExec::open_lanes(Runtime& runtime) {
    if (!lanes_.empty()) return;
    lanes_.assign(lane_count_, 0);
    for (std::size_t lane = 1; lane < lane_count_; ++lane) {
        lanes_[lane] = runtime.handles().take_stream_number();
        tell_stream(runtime, StreamEventKind::kCreate, lanes_[lane], nullptr, false);
    }
}

Status GraphExec::run(Runtime& runtime, const Step& step, std::uint32_t stream, std::uint32_t launch) {
    const Node& node = *step.node;
    if (!node.is_enabled) return Status::kOk;
    const Asking asking(node.asked);
    machine::Issue issue{stream, true};
    issue.graph = launch;
    return std::visit(Run(runtime, issue), node.work);
}

Status GraphExec::launch(Runtime& runtime, const Stream& stream) {
    const auto lock = this->lock();
    open_lanes(runtime);
    const std::uint32_t launch = runtime.graphs().next_launch();
    runtime.session().observers().on_graph_launch({launch, stream.id});
    if (was_launched_ && last_stream_ != stream.id)
        tell_event(runtime, StreamEventKind::kWait, stream.id, events_ + kEnd, launch);
    lanes_[0] = stream.id;
    const auto begins_aside = [](const Step& step) { return step.before.empty() && step.lane != 0; };
    if (std::any_of(steps_.begin(), steps_.end(), begins_aside))
        tell_event(runtime, StreamEventKind::kRecord, stream.id, events_ + kBegin, launch);
    std::vector<std::size_t> last(lane_count_, steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        const std::uint32_t own = lanes_[step.lane];
        if (begins_aside(step)) tell_event(runtime, StreamEventKind::kWait, own, events_ + kBegin, launch);
        for (const std::size_t place : step.awaits)
            tell_event(runtime, StreamEventKind::kWait, own, events_ + kFirstStep + place, launch);
        if (const Status status = run(runtime, step, own, launch); status != Status::kOk) return status;
        if (step.is_awaited) tell_event(runtime, StreamEventKind::kRecord, own, events_ + kFirstStep + i, launch);
        last[step.lane] = i;
    }
    for (std::size_t lane = 1; lane < lane_count_; ++lane) {
        if (steps_[last[lane]].is_awaited) continue;
        tell_event(runtime, StreamEventKind::kRecord, lanes_[lane], events_ + kFirstStep + last[lane], launch);
        tell_event(runtime, StreamEventKind::kWait, stream.id, events_ + kFirstStep + last[lane], launch);
    }
    tell_event(runtime, StreamEventKind::kRecord, stream.id, events_ + kEnd, launch);
    last_stream_ = stream.id;
    was_launched_ = true;
    return Status::kOk;
}

void GraphExec::end(Runtime& runtime) {
    for (std::size_t lane = 1; lane < lanes_.size(); ++lane)
        tell_stream(runtime, StreamEventKind::kDestroy, lanes_[lane]);
}

namespace {

// The first place where two graphs differ in more than a node may change.
Update compare(const Graph& now, const Graph& next) {
    constexpr auto kShape = UpdateResult::kOtherShape;
    if (now.nodes().size() != next.nodes().size()) return {kShape, nullptr};
    std::map<const Node*, std::size_t> places_now, places_next;
    for (std::size_t i = 0; i < now.nodes().size(); ++i) {
        places_now.emplace(now.nodes()[i].get(), i);
        places_next.emplace(next.nodes()[i].get(), i);
    }
    const auto places = [](const std::vector<Node*>& nodes, const std::map<const Node*, std::size_t>& of) {
        std::vector<std::size_t> all;
        all.reserve(nodes.size());
        for (const Node* const node : nodes) all.push_back(of.at(node));
        std::sort(all.begin(), all.end());
        return all;
    };
    for (std::size_t i = 0; i < now.nodes().size(); ++i)
        if (places(now.nodes()[i]->before, places_now) != places(next.nodes()[i]->before, places_next))
            return {kShape, next.nodes()[i].get()};
    for (std::size_t i = 0; i < now.nodes().size(); ++i) {
        const Node& own = *now.nodes()[i];
        Node* const other = next.nodes()[i].get();
        const UpdateResult change = GraphExec::check_change(own.work, other->work);
        if (change != UpdateResult::kDone) return {change, other};
        const auto* const child = std::get_if<ChildWork>(&own.work);
        if (child == nullptr) continue;
        const Update inside = compare(*child->graph, *std::get<ChildWork>(other->work).graph);
        if (inside.result != UpdateResult::kDone) return inside;
    }
    return {UpdateResult::kDone, nullptr};
}

// Of graphs of the same shape.
void take_over(const Graph& from, const Graph& into) {
    for (std::size_t i = 0; i < from.nodes().size(); ++i) {
        Node& own = *into.nodes()[i];
        const Node& other = *from.nodes()[i];
        own.asked = other.asked;
        if (const auto* child = std::get_if<ChildWork>(&own.work))
            take_over(*std::get<ChildWork>(other.work).graph, *child->graph);
        else
            own.work = other.work;
    }
}

}  // namespace

UpdateResult GraphExec::check_change(const Work& now, const Work& next) {
    if (now.index() != next.index()) return UpdateResult::kOtherKind;
    bool is_allowed = true;
    if (const auto* kernel = std::get_if<KernelLaunch>(&now)) {
        if (kernel->is_cooperative != std::get<KernelLaunch>(next).is_cooperative)
            return UpdateResult::kOtherAttributes;
    } else if (const auto* copy = std::get_if<Copy>(&now)) {
        is_allowed = may_become(Runtime::get(), *copy, std::get<Copy>(next));
    } else if (const auto* set = std::get_if<Set>(&now)) {
        is_allowed = may_become(*set, std::get<Set>(next));
    }
    return is_allowed ? UpdateResult::kDone : UpdateResult::kOtherParameters;
}

Update GraphExec::update(const Graph& graph, const Graph& from) {
    const auto lock = this->lock();
    const Update info = compare(graph, from);
    if (info.result == UpdateResult::kDone) take_over(from, graph);
    return info;
}

}  // namespace tilescope::runtime
