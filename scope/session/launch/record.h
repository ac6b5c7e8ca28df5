// The first and the last word of a launch: what the run's profile says of it.
#pragma once

#include "scope/session/launch/collect.h"

namespace tilescope {

// It is under way: who follows the run learns of it, and of a run that is cut short this much stays.
void announce(const Prepared& launch, Recording& recording);

// It is done: its profile, the work that it was on its stream, and what else is to be said of it, once.
void record(const Prepared& launch, Measured measured, Recording& recording, LaunchResult& result);

// How a launch ended, for the run: a launch that is refused is the caller's mistake, and no end of it.
void record_end(const LaunchResult& result, Recording& recording);

}  // namespace tilescope
