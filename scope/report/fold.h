// Folding: all launches of a kernel as one entry, for programs that launch the same few kernels again and again.
//
// Owns: fold(). Guarantees: a pure function; counters, line by line too, bytes, advice's savings and hazards' counts
// are sums over the launches; what cannot be added (shape, registers, occupancy, roofline, variables) is that of the
// launch that ran most instructions. Does not model: when launches of one kernel did different things.
#pragma once

#include "scope/report/profile.h"

namespace tilescope::report {

// The profile with one entry for each kernel, in the order of their first launches. Launches that were not counted
// are folded apart from those that were.
Profile fold(Profile profile);

}  // namespace tilescope::report
