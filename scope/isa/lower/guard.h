// Guarded instructions: the lanes whose predicate holds.
#pragma once

#include "scope/machine/warp.h"

namespace tilescope::isa {

// Narrows exec to the guard's lanes, counts them, and runs op.guarded unless none is left.
void run_guarded(machine::Warp& warp, const machine::Op& op);

}  // namespace tilescope::isa
