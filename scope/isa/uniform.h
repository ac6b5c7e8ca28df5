// What the assembler knows to be the same in all lanes of a warp.
#pragma once

#include "scope/isa/lowering.h"

namespace tilescope::isa {

// A reduction that adds a constant to an address which follows from parameters, constants and block numbers alone: the
// assembler (ptxas 13.0, tests/truth: atomic_one_address) adds up the lanes first and lets one of them do it.
bool is_combined(const FunctionCode& code, const Instruction& instruction);

}  // namespace tilescope::isa
