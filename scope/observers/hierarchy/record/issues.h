// Facts about each op that decide the order of requests.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/access.h"
#include "scope/machine/program.h"

namespace tilescope::observers {

struct Issue {
    std::uint32_t block = 0;  // basic block
    std::uint32_t first = 0, end = 0;
    bool follows_loads = false;  // it takes what a load of the same stretch brings
    // Of a store to global memory: the last load that the assembler brings forward over it, as it sees that both lie
    // apart. 0: none.
    std::uint32_t passed_by = 0;
    // Of a loop whose turns the assembler groups (BlockWork::turns_together), as far as their number is not known:
    // which, counted from 1, and how many are a group.
    std::uint32_t loop = 0, turns = 1;
    machine::WarpClock left{};  // of its basic block's pace, what lies behind it; no turns
};

// By op. `paces`: of basic blocks; none where nobody keeps time.
std::vector<Issue> issues_of(const machine::Program& program, const std::vector<machine::WarpClock>& paces);

}  // namespace tilescope::observers
