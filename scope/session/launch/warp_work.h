// What a launch's warps ask of the SMs: the work of each basic block as often as it ran. Internal to scope/session.
#pragma once

#include "scope/machine/grid.h"
#include "scope/machine/program.h"
#include "scope/report/profile.h"

namespace tilescope {

// For the whole grid; keeps what observers have put there.
void add_warp_work(const machine::Program& program, const machine::GridResult& result, LaunchProfile& launch);

}  // namespace tilescope
