// Converts the results of the cache simulation to counters and profile fields.
//
// Guarantees: the order of buffers does not depend on their addresses: first kernel parameter that points into them,
// then age, then local memory and the heap.
#pragma once

#include "scope/observers/counting.h"
#include "scope/observers/hierarchy/answer.h"
#include "scope/observers/hierarchy/record/buffers.h"

namespace tilescope::observers {

// All but bytes that nobody requested.
void add(const CacheTraffic& traffic, CounterSet& counters);
void store_buffers(const LaunchContext& context, const BufferMap& buffers, const ReplayAnswer& answer,
                   LaunchProfile& launch);

// What its clock tells of a launch.
ReplayClock clock_of(const ReplayAnswer& answer);

}  // namespace tilescope::observers
