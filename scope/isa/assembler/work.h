// What the machine code of each basic block asks of an SM, and how often a warp waits in it: what a model of time
// needs.
//
// An estimate from the PTX. Names for values cost nothing, what ptxas makes one instruction of counts once, divisions
// and special functions as the sequences that they become (measured: docs/internals/time-model.md). Waits are those on
// the longest chain through the block, in which one instruction needs the result of another: ptxas issues loads as
// early as it can, so that loads which do not need each other are under way together and are one wait. A load is waited
// for by the first that uses its value, in this block or a later one. No load of a kind of memory passes a store or an
// atomic to it, unless both count from the same register and lie apart. Does not model: registers that are too few for
// that; loads of one turn of a loop that are started in the turn before.
#pragma once

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// Appends the blocks' to Program::work, in the order in which they were emitted.
void add_work(const FunctionCode& code, machine::Program& program);

}  // namespace tilescope::isa
