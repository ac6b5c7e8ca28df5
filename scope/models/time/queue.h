// Warps that take turns at stations: how long one of them is under way.
//
// A closed queueing network, solved for its mean (Reiser and Lavenberg 1980; Schweitzer 1979): each warp waits a fixed
// time and passes every station, before which, on average, stand as many of the others as the station is busy with.
// Few warps: the time is what one needs alone. Many: that of the busiest station, all warps one after the other. So
// Little's law holds at each station, and the times at the stations add up to the whole.
// Does not model: order of the stations; variance of their times.
#pragma once

#include "scope/models/time/stations.h"

namespace tilescope::models {

struct Residence {
    double cycles = 0;
    TimeParts parts{};  // that add up to it
};

// Warps that share one station of each kind.
struct Sharers {
    double scheduler = 1, sm = 1, device = 1;
};

Residence residence(const Demands& demands, const Sharers& sharers);

}  // namespace tilescope::models
