// Which loops the assembler unrolls, and how often: loads of neighbouring words that one loop makes turn by turn become
// one wide load then.
//
// ptxas 13.0, measured over bodies of 3 to 190 instructions and 2 to 512 turns; a body is one basic block that counts
// from a constant to a constant, its size is size_of() over it without the counting and the branch:
// - All turns, when the size is at most kWholeSizes' for that number of turns. Instructions that compute from the
// counter
//   alone are constants then: they do not count, and each makes the limit 9 % of itself larger.
// - Otherwise F at a time, the greatest F for which (F + the turns left over) times the size is at most 350, for bodies
//   up to 72.
// - Where the number of turns is not known, but a register that a constant is added to is held against a bound: 4 at a
//   time, when the size is at most 18, 5 more for each load of shared memory, or 46 with a load of global or local
//   memory; an atomic counts 2 then. Of what is left over two go together, and the last alone. A body may have short
//   conditional parts, barriers and exchanges between lanes, each of which counts 1.
// - Never with .pragma "nounroll".
//
// Only loops in which that merges something are unrolled here (unrolled_loop). The copies run the same instructions as
// the loop did, the tests included. Of all others it is said how many turns are one stretch of code (turns_together):
// their loads are under way together.
//
// clang leaves some loops through a branch out of them, which ptxas unrolls only when it is the branch back, as nvcc
// writes it. Both count as nvcc's here.
#pragma once

#include <cstdint>
#include <optional>
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

// A loop of one basic block, or of some of which those behind the first are run or left out as a whole.
struct LoopBlocks {
    std::uint32_t first = 0, last = 0;
    std::optional<std::uint32_t> jump;  // a block with nothing but the branch back
};

// What ptxas makes of a loop that stays one here.
struct TurnsTogether {
    std::uint32_t turns = 1;
    bool is_known = false;                 // how many turns there are in all
    bool all_turns = false;                // they are these
    std::vector<std::int32_t> counters;    // registers that a constant is added to, once a turn
    std::vector<std::uint32_t> constants;  // instructions that are constants, since all turns are there; ascending
};
TurnsTogether turns_together(const FunctionCode& code, const LoopBlocks& loop, Places& places);

// How often a body of this size that runs so often is repeated, so many of its instructions being constants when all
// turns are there (and not in the size then). For tests.
std::uint32_t copies_of_body(std::uint64_t turns, unsigned size, unsigned constants = 0);

UnrolledLoop unrolled_loop(const FunctionCode& code, std::uint32_t block, Places& places);

// Puts the copies of a block behind it, `instructions` being theirs by copy (the first stands in the block already).
void insert_copies(FunctionCode& code, std::uint32_t block, std::vector<std::vector<Instruction>> instructions);

}  // namespace tilescope::isa
