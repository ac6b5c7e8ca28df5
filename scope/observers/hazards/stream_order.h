// What is before what among pieces of work that a host program issues: streams, events, the rules of the default
// stream, and what the host has waited for.
//
// Owns: StreamOrder. Guarantees: two pieces of work are unordered only if CUDA allows them to run at the same time.
// Does not model: several host threads, which count as one; what a
// query that says "not yet" would have told.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "scope/machine/run_observer.h"

namespace tilescope::observers {

// By stream: how many pieces of its work are known to be done.
class StreamClock {
public:
    std::uint64_t at(std::uint32_t stream) const {
        const auto found = done_.find(stream);
        return found == done_.end() ? 0 : found->second;
    }
    void set(std::uint32_t stream, std::uint64_t count) { done_[stream] = count; }
    void join(const StreamClock& other) {
        for (const auto& [stream, count] : other.done_) {
            std::uint64_t& own = done_[stream];
            if (own < count) own = count;
        }
    }

private:
    std::map<std::uint32_t, std::uint64_t> done_;
};

class StreamOrder {
public:
    // The next piece of work on a stream: gives its number there, counted from 1.
    std::uint64_t issue(std::uint32_t stream);
    // A function of the host that the stream calls: before() holds what comes before it.
    void arrive(std::uint32_t stream) { enter(stream); }
    // What is before the latest piece of a stream.
    const StreamClock& before(std::uint32_t stream) { return streams_[stream].clock; }
    // The host has waited for all that the stream was given.
    void finish(std::uint32_t stream) { host_.join(streams_[stream].clock); }
    void finish_all();
    void on_stream(const machine::StreamEvent& event);
    // Whether whatever is issued from now on comes after that piece of work.
    bool is_over(std::uint32_t stream, std::uint64_t number) const { return host_.at(stream) >= number; }
    // Goes up when a point of the stream's work has been given to others, who wait for what is before it only.
    std::uint64_t cuts(std::uint32_t stream) { return streams_[stream].cuts; }

private:
    static constexpr std::uint32_t kLegacy = 0;
    struct Stream {
        StreamClock clock;
        std::uint64_t count = 0, cuts = 0;
        bool is_blocking = true;  // ordered with the legacy default stream
    };
    void enter(std::uint32_t stream);

    std::map<std::uint32_t, Stream> streams_;
    std::map<std::uint64_t, StreamClock> events_;
    StreamClock host_;
};

}  // namespace tilescope::observers
