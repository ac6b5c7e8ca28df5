// The third stage of a launch: its grid runs.
#pragma once

#include "scope/machine/grid.h"
#include "scope/session/launch/prepare.h"

namespace tilescope {

struct Executed {
    machine::GridResult grid;
    double seconds = 0;             // on the wall
    std::uint64_t lost_prints = 0;  // calls of printf beyond the launch's buffer
};

// Blocks until the grid is done; shows how far it has come, and what it prints behind its end.
Executed execute(Prepared& launch, machine::InstructionBudget& budget);

}  // namespace tilescope
