// What a launch is told of the caches, and what is said where they are not modelled.
#pragma once

#include "scope/machine/grid.h"
#include "scope/observers/counting.h"
#include "scope/session/session_state.h"

namespace tilescope {

// Nothing where they are not asked for, or cannot be modelled for this launch. L2 is empty when it begins, unless it is
// to be kept from the launch before. `code`: the kernel's machine code, where it is known.
void add_caches(Session::Impl& state, const machine::GridRequest& grid, const image::MachineCode* code,
                observers::LaunchContext& context);
// Of a launch that was to have them, and has not.
void note_missing_caches(Session::Impl& state, const KernelInfo& info, const machine::GridRequest& grid);

}  // namespace tilescope
