#include "scope/observers/hazards/stream_order.h"

namespace tilescope::observers {

using machine::StreamEventKind;

// Joins what the next piece of a stream's work waits for without being told: what the host has waited for, and across
// the legacy default stream and those that it blocks.
void StreamOrder::enter(std::uint32_t stream) {
    Stream& own = streams_[stream];
    own.clock.join(host_);
    if (stream == kLegacy) {
        for (auto& [number, other] : streams_) {
            if (number == kLegacy || !other.is_blocking) continue;
            own.clock.join(other.clock);
            ++other.cuts;
        }
    } else if (own.is_blocking) {
        own.clock.join(streams_[kLegacy].clock);
        ++streams_[kLegacy].cuts;
    }
}

std::uint64_t StreamOrder::issue(std::uint32_t stream) {
    enter(stream);
    Stream& own = streams_[stream];
    own.clock.set(stream, ++own.count);
    return own.count;
}

void StreamOrder::finish_all() {
    for (const auto& [number, stream] : streams_) host_.join(stream.clock);
}

void StreamOrder::on_stream(const machine::StreamEvent& event) {
    switch (event.kind) {
        case StreamEventKind::kCreate: streams_[event.stream].is_blocking = event.is_blocking; break;
        case StreamEventKind::kDestroy: break;
        case StreamEventKind::kRecord:
            enter(event.stream);
            events_[event.event] = streams_[event.stream].clock;
            ++streams_[event.stream].cuts;
            break;
        case StreamEventKind::kWait:
            enter(event.stream);
            if (const auto found = events_.find(event.event); found != events_.end())
                streams_[event.stream].clock.join(found->second);
            ++streams_[event.stream].cuts;
            break;
        case StreamEventKind::kSynchronizeStream:
            enter(event.stream);
            finish(event.stream);
            break;
        case StreamEventKind::kSynchronizeEvent:
            if (const auto found = events_.find(event.event); found != events_.end()) host_.join(found->second);
            break;
        case StreamEventKind::kSynchronizeDevice: finish_all(); break;
    }
}

}  // namespace tilescope::observers
