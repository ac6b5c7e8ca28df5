// Which instructions read the sums of a product of a group of warps before anything has waited for it.
//
// Guarantees: found along every path of a function's code, loops included; moves hand a value on and are no use of it.
// Does not model: what device functions do that were not inlined; conditions that never hold together.
#pragma once

#include <vector>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// Of a function whose instructions have been emitted.
std::vector<machine::EarlyRead> early_reads(const FunctionCode& code);

}  // namespace tilescope::isa
