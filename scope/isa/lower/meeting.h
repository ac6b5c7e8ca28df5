// What the machine has to know of lanes that meet.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/isa/lower/lowering.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/row.h"
#include "scope/machine/program.h"

namespace tilescope::isa {

// Where an instruction's row says that lanes meet by these operands: the mask that names them into `end`, which keeps
// its own where no operand does, and all that they hand over into `program`. Of a vector each element is handed over by
// itself; an operand that is not there counts for none.
void place_meeting(const Meets& meets, const std::vector<BoundOperand>& operands, machine::Program& program,
                   machine::Terminator& end);

// A barrier of the block's, or an exchange between lanes, that is always there.
bool is_meeting(const Instruction& instruction);

// Whether nothing but such a meeting parts a block from the one before it. It ends a basic block here; for ptxas it is
// an instruction like others.
bool only_meets_before(const FunctionCode& code, std::uint32_t block);

// Whether the instruction that ends a block holds up its warp until the four warps of the group are there.
bool meets_group(const FunctionCode& code, std::uint32_t block);

}  // namespace tilescope::isa
