// What the assembler makes of a function's accesses, written down for each of them: Instruction::counted and
// Instruction::combined. What the program does is not touched; counting observers see the machine code's accesses.
//
// Before the flow of the code is found (lower_flow), as loops may be unrolled. Needs FunctionCode::definitions.
#pragma once

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

void assemble(FunctionCode& code, const machine::Program& program);

}  // namespace tilescope::isa
