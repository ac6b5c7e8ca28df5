#include "scope/observers/hierarchy/answer.h"

#include "scope/observers/hierarchy/replay.h"

namespace tilescope::observers {

std::uint64_t ReplayAnswer::bytes() const {
    return sizeof *this + traffic.capacity() * sizeof(BufferTraffic) + unasked.capacity() * sizeof(std::uint64_t) +
           by_buffer.capacity() * sizeof(MemoryTraffic);
}

ReplayAnswer answer_of(const Replay& replay) {
    const SecondLevel& second = replay.second();
    const StoresSent stores = replay.stores();
    return {.traffic = replay.traffic_by_buffer(),
            .unasked = second.unasked(),
            .by_buffer = second.by_buffer(),
            .clock = replay.clock(),
            .cycles = replay.cycles(),
            .written_back = replay.written_back(),
            .hottest_stores = stores.by_line.most(),
            .sent_lines = stores.lines,
            .sent_in_part = stores.in_part,
            .opened = second.opening_bytes(),
            .share_replayed = replay.share_replayed()};
}

}  // namespace tilescope::observers
