// Which loops the assembler unrolls, and how often: loads of neighbouring words that one loop makes turn by turn become
// one wide load then.
//
// ptxas 13.0, measured over bodies of 3 to 190 instructions and 2 to 512 turns; a body is one basic block that counts
// from a constant to a constant, its size is size_of() over it without the counting and the branch:
// - All turns, when the size is at most kWholeSizes' for that number of turns.
// - Otherwise F at a time, the greatest F for which (F + the turns left over) times the size is at most 350, for bodies
//   up to 72.
// - Never with .pragma "nounroll", or where the number of turns is not known.
//
// Only loops in which that merges something are unrolled here. The copies run the same instructions as the loop did,
// the tests included.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/isa/assembler/places.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// A register that a loop adds a constant to, once a turn.
struct Induction {
    std::int32_t reg = kNoRegister;
    std::int64_t step = 0;
    Place start;  // what it holds when the loop begins
};

struct UnrolledLoop {
    std::uint32_t copies = 1;  // 1: stays as it is
    bool all_turns = false;
    std::vector<Induction> inductions;
};

// How often a body of this size that runs so often is repeated. For tests.
std::uint32_t copies_of_body(std::uint64_t turns, unsigned size);

UnrolledLoop unrolled_loop(const FunctionCode& code, std::uint32_t block, Places& places);

// Puts the copies of a block behind it, `instructions` being theirs by copy (the first stands in the block already).
void insert_copies(FunctionCode& code, std::uint32_t block, std::vector<std::vector<Instruction>> instructions);

}  // namespace tilescope::isa
