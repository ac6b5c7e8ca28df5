// What code says of an access's address beyond its value: whether it is data, and whether other accesses ask for the
// rest of one structure.
//
// Owns: Instruction::by_data and Instruction::structure. Guarantees: nothing of what the program does. An index is data
// where a load of the kernel brought it and no loop walks on from there: x[index[i]] is, the row of a sparse matrix
// from starts[i] on is not. Parts of a structure are accesses of a basic block off one register whose offsets make 8,
// 12 or 16 bytes without a gap, and that the assembler does not make one. Does not model: indices that pass through
// memory or calls; structures whose accesses the compiler has reordered over basic blocks.
#pragma once

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// Once the blocks' instructions are what they will be (assemble()).
void find_address_sources(FunctionCode& code);

}  // namespace tilescope::isa
