// Where code puts zeros into shared memory in place of what lies beyond an edge, and which products take values from
// there.
//
// A store fills when all that it may bring are zeros of the code and loads of global memory, a load of its own turn
// among them: lanes that did not go through one bring a zero. A product is followed when a factor can only come from
// one load of shared memory, and the load runs as often as the product: in one basic block. Guarantees: what is found
// is certain as far as the ops run as they are written; all else is left out. Does not model: zeros that `selp` chooses
// instead of a value that was loaded all the same, zeros of `cp.async`, values that stay in registers from turn to turn
// of a loop, packed halves, tensor cores, sums.
#pragma once

#include "scope/isa/lower/lowering.h"
#include "scope/machine/padding.h"

namespace tilescope::isa {

// Of one function, whose ops are there; products once the fills of all functions are known.
void find_fills(const FunctionCode& code, machine::PaddingPlan& plan);
void find_padded_products(const FunctionCode& code, machine::PaddingPlan& plan);

}  // namespace tilescope::isa
