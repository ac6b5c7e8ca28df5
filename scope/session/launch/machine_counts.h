// What only the machine code tells of a launch: what its spills moved through local memory, and how many instructions
// on shared memory it executed, those under a predicate that fails included. From where they stand in the machine code
// and how often the PTX around them ran. Internal to scope/session.
//
// A mark says that a region of machine code has so many copies of a line of the PTX; the line's executions are the sum
// over its copies, each as often as its region. A region's executions follow from its marks, one after the other.
// Guarantees: exact only if all marks of what the assembler leaves in place agree, and with them three or more lines
// where there are none of that kind, and all lanes of the warps take part; else an estimate, and called one. Nothing
// where a region has no mark to go by.
// Does not model: which lanes of a warp take part where some do not.
#pragma once

#include <optional>

#include "scope/image/machine_code.h"
#include "scope/machine/grid.h"
#include "scope/machine/program.h"
#include "scope/report/profile.h"

namespace tilescope {

struct SharedInstructions {
    std::uint64_t loads = 0, stores = 0;
};

struct MachineCounts {
    std::optional<SpillTraffic> spills;        // nothing without any, and where one cannot tell
    std::optional<SharedInstructions> shared;  // exact, or nothing
};

MachineCounts machine_counts(const image::MachineCode& code, const machine::Program& program,
                             const machine::GridResult& result, std::uint32_t threads_per_block);

// The same for the whole grid, of which the launch knows how many blocks ran: exact counts join its counters, and the
// instructions on shared memory take the place of those that the PTX has.
void add_machine_counts(const image::MachineCode& code, const machine::Program& program,
                        const machine::GridResult& result, LaunchProfile& launch);

}  // namespace tilescope
