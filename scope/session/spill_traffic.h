// What a launch's spills moved through local memory, from where they stand in the machine code and how often the PTX
// around them ran. Internal to scope/session.
//
// A mark says that a region of machine code has so many copies of a line of the PTX; the line's executions are the sum
// over its copies, each as often as its region. A region's executions follow from its marks, one after the other.
// Guarantees: exact only if all marks of what the assembler leaves in place agree, and with them three or more lines
// where there are none of that kind, and all lanes of the warps take part; else an estimate, and called one. Nothing
// where a region has no mark to go by.
// Does not model: which lanes of a warp take part where some do not.
#pragma once

#include <optional>

#include "scope/image/spill_code.h"
#include "scope/machine/grid.h"
#include "scope/machine/program.h"
#include "scope/report/profile.h"

namespace tilescope {

std::optional<SpillTraffic> spill_traffic(const image::SpillCode& code, const machine::Program& program,
                                          const machine::GridResult& result, std::uint32_t threads_per_block);

}  // namespace tilescope
