// ControlWays: which code depends on a branch, when dead ends (traps, and code that no thread reaches) don't count.
//
// Owns: where the ways of each branch meet. Guarantees: valid until the function's blocks or edges change.
// Does not model: conditions that never hold together.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

class ControlWays {
public:
    // The code has its blocks and edges.
    explicit ControlWays(const FunctionCode& code);

    // Whether every way from a block ends in a trap, or the block itself is unreachable code.
    bool leads_nowhere(std::uint32_t block) const { return meeting_[block] == machine::kNoBlock; }
    // The blocks that run or not by the branch at the end of `block`.
    std::vector<std::uint32_t> between(std::uint32_t block) const;
    // All blocks behind one.
    std::vector<std::uint32_t> behind(std::uint32_t block) const { return from(block, machine::kNoBlock, false); }
    // Whether a loop ends by the branch at the end of `block`.
    bool leaves_loop(std::uint32_t block) const;

private:
    std::vector<std::uint32_t> from(std::uint32_t block, std::uint32_t end, bool with_itself) const;

    const FunctionCode& code_;
    std::vector<std::uint32_t> meeting_;  // by block: where its ways meet; kNoBlock: it leads nowhere
};

}  // namespace tilescope::isa
