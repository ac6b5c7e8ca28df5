// Timeline: when what a host program asks of a device begins and ends, by the rules of streams.
//
// Owns: Timeline. Guarantees: work begins no earlier than CUDA allows it to: behind what its stream has before, behind
// the events that it waits for, and across the legacy default stream and the streams that this blocks; each copy engine
// does one thing at a time; kernels run together only as far as their blocks fit, and no faster than what they share
// allows (sharing.h). What is told is final: it does not depend on calls to come. Times are microseconds.
// docs/reference/timeline.md has the rules. Does not model: several host threads, which count as one (with
// observers/hazards/stream_order.h); priorities; what the host computes between its calls, which takes no time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "scope/models/timeline/sharing.h"
#include "scope/report/profile.h"

namespace tilescope::models {

// Who works. The host is told of when it waits.
enum class Engine : std::uint8_t { kNone, kCompute, kToDevice, kToHost };
inline constexpr unsigned kEngines = static_cast<unsigned>(Engine::kToHost) + 1;

struct TimedWork {
    std::uint32_t stream = 0;
    Engine engine = Engine::kCompute;
    double microseconds = 0;
    double share = 1;  // on kCompute: of the room for blocks, that it fills at most at a time
    std::uint64_t tag = 0;
    Shares takes{};            // on kCompute: of what kernels that run together share
    bool is_of_graph = false;  // issued with all else of the graph: the host does not stand still within
};

struct TimedSpan {
    Engine engine = Engine::kNone;  // kNone: the host waited
    std::uint32_t stream = 0;
    std::uint64_t tag = 0;
    double begin = 0, end = 0;
};

class Timeline {
public:
    // engines: that copies between host and device have; a single one serves both directions. queue_depth: pieces of
    // work that the host may be ahead, or it waits in its next call. `told` gets every piece of work when it ends, and
    // every wait of the host.
    Timeline(unsigned engines, std::uint64_t queue_depth, std::function<void(const TimedSpan&)> told);

    void create_stream(std::uint32_t stream, bool is_blocking) { streams_[stream].is_blocking = is_blocking; }
    // The host is busy with a call.
    void spend(double microseconds) { host_ += microseconds; }
    // The host stands still, for nothing that the device was asked to do.
    void hold(double microseconds, std::uint64_t tag);
    void issue(const TimedWork& work);
    void record(std::uint64_t event, std::uint32_t stream, bool is_of_graph = false);
    void wait(std::uint32_t stream, std::uint64_t event, bool is_of_graph = false);
    // The host waits: for all that the stream was given, for the event's last record, for everything.
    void synchronize_stream(std::uint32_t stream, std::uint64_t tag);
    void synchronize_event(std::uint64_t event, std::uint64_t tag);
    void synchronize_device(std::uint64_t tag);
    // When the event's last record is complete, which it is from here on; nothing where it was never recorded.
    std::optional<double> completed(std::uint64_t event);
    // All that is under way comes to its end, and the host waits for it.
    void finish();

    double now() const { return host_; }
    // Of what has ended so far.
    const TimelineTotals& totals() const { return totals_; }

private:
    struct Node;
    using NodePointer = std::shared_ptr<Node>;
    struct Stream {
        bool is_blocking = true;  // ordered with the legacy default stream
        std::deque<NodePointer> pending;
        NodePointer last;
    };

    void enter(std::uint32_t stream, Node& node);
    void append(std::uint32_t stream, NodePointer node);
    void await(const std::vector<NodePointer>& nodes, std::uint32_t stream, std::uint64_t tag);
    std::vector<NodePointer> all_of(std::uint32_t stream);
    bool is_ready(const Node& node) const;
    bool start_what_can();
    bool has_room_for(const Node& node) const;
    void share_out();
    double next_moment() const;
    void pass(double until);
    void end(Node& node);
    // To the next moment at which something ends or begins; false: there is none up to `limit`.
    bool step(double limit);
    void advance(double until);

    unsigned engines_;
    std::uint64_t queue_depth_;
    std::function<void(const TimedSpan&)> told_;
    std::map<std::uint32_t, Stream> streams_;
    std::map<std::uint64_t, NodePointer> events_;
    std::vector<NodePointer> running_;
    double clock_ = 0;  // of the device, never beyond the host's
    double host_ = 0;
    std::uint64_t issued_ = 0, pending_ = 0;
    TimelineTotals totals_;
};

}  // namespace tilescope::models
