// Which instructions ptxas makes part of others, so that they are no instructions of the machine.
//
// ptxas 13.0 for sm_90, counted in its machine code:
// - An addition of a constant or of a variable's address to what is only an address: it stands in the accesses.
// - Of two additions or subtractions of 32 bits, the first, where only the second reads it: one addition has three
//   sources. Likewise of two logical operations, if there is not more than one constant among their sources.
// - A shift to the left by a constant that only additions and subtractions read: they shift as well.
// - An addition of a product of 32 bits that nobody else reads.
// - A logical operation on predicates of which a comparison is one that nobody else reads: comparisons combine.
// - A logical operation that only a comparison with 0, for equal or not, reads.
// All of it within one basic block but the first.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

enum class Fold : std::uint8_t {
    kNone,
    kPart,   // of another instruction
    kHolds,  // another one, and has three sources
};

// By instruction. Needs FunctionCode::definitions.
std::vector<Fold> folded_instructions(const FunctionCode& code);

}  // namespace tilescope::isa
