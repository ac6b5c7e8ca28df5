// What a launch is told of the caches, and what is said where they are not modelled.
#pragma once

#include "scope/machine/grid.h"
#include "scope/observers/counting.h"
#include "scope/session/session_state.h"

namespace tilescope {

// Nothing where they are not asked for, or cannot be modelled for this launch. L2 is empty when it begins, unless it is
// to be kept from the launch before. The grid's
// warps keep time for them.
void add_caches(Session::Impl& state, const Kernel& kernel, const LaunchRequest& request, machine::GridRequest& grid,
                observers::LaunchContext& context);
// Of a launch that was to have them, and has not.
void note_missing_caches(Session::Impl& state, const KernelInfo& info, const LaunchRequest& request,
                         const machine::GridRequest& grid);
// Of a launch whose spills are not in its figures of the caches as often as they run.
void note_missing_spills(Session::Impl& state, const Kernel& kernel, const LaunchProfile& launch);

}  // namespace tilescope
