// The second stage of a launch: who watches it.
//
// Owns: Instruments, all observers of one launch in one list. Guarantees: in the grid's request and in its result they
// stand in the order counting, --check, the run's own; taking a result apart leaves it with the counting ones.
#pragma once

#include <memory>
#include <vector>

#include "scope/machine/run_observers.h"
#include "scope/observers/counting.h"
#include "scope/session/launch/checks.h"
#include "scope/session/launch/hang_help.h"
#include "scope/session/launch/prepare.h"
#include "scope/session/launch/trace.h"

namespace tilescope {

// What the run's observers look into a launch with.
class RunObserversInside {
public:
    RunObserversInside(machine::RunObservers& run, Prepared& launch);
    // Takes theirs off the end of the result's list, and tells the run that the launch is over.
    void end(machine::GridResult& result);

private:
    machine::RunObservers& run_;
    machine::LaunchEvent event_;
    std::vector<std::unique_ptr<machine::Observer>> prototypes_;
};

struct Instruments {
    std::unique_ptr<LaunchTrace> trace;  // null: not the launch to trace
    std::unique_ptr<LaunchHangHelp> hang_help;
    std::vector<std::unique_ptr<observers::CountingObserver>> counting;
    std::unique_ptr<LaunchChecks> checks;
    std::unique_ptr<RunObserversInside> run;
};

// Enters them into the launch's grid. What the run's observers keep of a launch, and whether a trace could be made,
// becomes part of the recording.
Instruments instrument(Prepared& launch, DeviceMemory& device_memory, Recording& recording);

}  // namespace tilescope
