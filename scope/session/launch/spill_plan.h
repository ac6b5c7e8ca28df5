// Where the spills that the machine code has stand among the accesses of the PTX. Internal to scope/session.
//
// A spill stands by an access or barrier of its block of machine code, and runs when that one's op does; where ptxas
// has unrolled a loop, with that copy's turn. Spills keep the order of the machine code, also where accesses have
// changed theirs. Nothing where one of them stands by no access that can be found again.
#pragma once

#include <memory>

#include "scope/image/machine_code.h"
#include "scope/machine/program.h"
#include "scope/observers/hierarchy/record/spills.h"

namespace tilescope {

// `local_bytes`: of a thread's stack as the PTX has it; what is spilled lies behind.
std::shared_ptr<const observers::SpillPlan> spill_plan(const image::MachineCode& code, const machine::Program& program,
                                                       std::uint32_t threads, std::uint64_t local_bytes);

}  // namespace tilescope
