// The order in which a launch's first blocks go to SMs.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/scheduler/scheduler_rules.h"

namespace tilescope::observers {

// Places of the blocks that begin at once, in the order of their numbers: a place is an SM and how many blocks it has
// before, as SM + that * rules.sms. There are `blocks` of them, or as many as fit when each SM takes `per_sm`.
//
// As 621 launches on an H200 had it (bench/hardware/groups.cu, November 2026). Groups of SMs have turns; in its turn a
// group takes a block for each of its SMs. As many blocks as all SMs can have equally many of go round that way, the
// first group being ahead of the others. What is left is shared out: first to the first group, then one by one to the
// others in turn, one to each pair of SMs before the pairs get their second; and is taken in one more round.
std::vector<std::uint32_t> first_places(const SchedulerRules& rules, std::uint64_t per_sm, std::uint64_t blocks);

}  // namespace tilescope::observers
