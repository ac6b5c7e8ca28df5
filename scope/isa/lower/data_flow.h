// What an instruction does with values, read off its row and its bound operands.
//
// Guarantees: whatever is not known to move, compute, load or store in a plain way is FlowKind::kOther, never guessed.
#pragma once

#include <vector>

#include "scope/isa/lower/lowering.h"
#include "scope/machine/flow.h"

namespace tilescope::isa {

// bound: the operands of `instruction`, closed, in the same order.
machine::OpFlow data_flow(const Instruction& instruction, const std::vector<BoundOperand>& bound);

}  // namespace tilescope::isa
