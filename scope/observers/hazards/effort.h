// CheckEffort: what checks of a launch have cost so far, estimated from counts; and an observer that stops when it is
// too much.
//
// Owns: the estimate, in nanoseconds of one core. Guarantees: it follows from what the kernel did, never from a clock,
// so that it is the same on every machine. Does not model: caches of the host, or what its processor is good at.
#pragma once

#include <cstdint>
#include <memory>

#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {

struct CheckEffort {
    // Warp accesses to shared and to global memory, and what checking these cost.
    std::uint64_t shared = 0, global = 0;
    double spent = 0;
    // Checks go on while `spent` is at most `granted` and `share` for each access to global memory.
    double granted = 0, share = 0;
    bool is_over = false;
};

// Passes all that `inner` wants on to it until `effort` is over; from then on it finds nothing more. `effort` outlives
// the observer, and there is one worker at a time.
std::unique_ptr<HazardObserver> curbed(std::unique_ptr<HazardObserver> inner, CheckEffort& effort);

}  // namespace tilescope::observers
