// The fourth stage of a launch: what was seen, as figures, lines, work and findings.
//
// Guarantees: of a launch that faulted there are no counts: how far other blocks came by then depends on the workers.
#pragma once

#include "scope/session/launch/execute.h"
#include "scope/session/launch/instrument.h"

namespace tilescope {

struct Measured {
    LaunchProfile launch;  // but for what models make of it (judge.h)
    // Of a launch that nobody counts: its instructions, for an estimate of its time.
    std::optional<CounterSet> uncounted;
    Diagnostics notes;  // each to be told once in a run
};

// Takes `executed` apart. `result` gets the fault, or the limit, that the launch ended at.
Measured collect(Prepared& launch, Instruments& with, Executed& executed, Recording& recording, LaunchResult& result);

}  // namespace tilescope
