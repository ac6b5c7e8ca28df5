// ReplayAnswer: the results of one launch's cache simulation, as plain data.
//
// Guarantees: it contains every result that callers need, for this launch alone.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/cache_traffic.h"
#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/scheduler/gpc.h"

namespace tilescope::observers {

class Replay;

struct ReplayAnswer {
    std::vector<BufferTraffic> traffic;    // by op, then by buffer
    std::vector<std::uint64_t> unasked;    // bytes from device memory that nobody requested, by op
    std::vector<MemoryTraffic> by_buffer;  // of device memory
    GpcClock clock;                        // of all GPCs
    std::uint64_t cycles = 0;              // from the launch's begin to the end of its last block
    std::uint64_t written_back = 0;        // bytes
    // Of stores, as they reach L2: those of the line that has the most, times a line was sent, sectors sent in part.
    std::uint64_t hottest_stores = 0, sent_lines = 0, sent_in_part = 0;
    SecondLevel::RowBytes opened;
    double share_replayed = 1;  // of the requests, those that the clock saw

    std::uint64_t bytes() const;  // that it takes here
};

// Of a replay that is complete.
ReplayAnswer answer_of(const Replay& replay);

}  // namespace tilescope::observers
