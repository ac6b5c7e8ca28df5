// Sizes that a module declares, checked before anything is allocated for them.
//
// Guarantees: no sum wraps, whatever the declarations say. Does not model: shared and local memory, whose limits depend
// on the code that a kernel reaches (isa/lower).
#pragma once

#include "scope/base/result.h"
#include "scope/isa/targets.h"
#include "scope/ptx/module.h"

namespace tilescope {

// Rejects kernels whose parameters exceed what this PTX version and target allow.
Status check_parameter_sizes(const ptx::Module& module, const isa::TargetLimits& limits);

// Rejects alignments and numbers of registers that no compiler writes, before ptxas or the lowering makes room for
// them.
Status check_declarations(const ptx::Module& module);

}  // namespace tilescope
