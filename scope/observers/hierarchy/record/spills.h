// SpillPlan: which spills a warp runs, and between which accesses of the PTX.
//
// Guarantees: nothing about execution counts; the author of the plan compares the result with the known counts. Does
// not model: spills of diverged warps; all threads take part.
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::observers {

struct SpillAccess {
    std::uint32_t op = 0;                  // it runs before this one, or
    bool after = false;                    // behind it
    std::uint16_t turn = 0, of_turns = 1;  // of so many that a warp takes through the basic block, in which
    bool loads = false;
    std::uint8_t words = 1;    // 1, 2 or 4, of 32 bits
    std::uint32_t offset = 0;  // in a thread's local memory
};

struct SpillPlan {
    std::uint32_t threads = 0;            // of a block
    std::uint64_t local_bytes = 0;        // of a thread: the offsets' end
    std::vector<SpillAccess> accesses;    // by basic block, in the order in which they run
    std::vector<std::uint32_t> of_block;  // by basic block, where its accesses begin; and the end
};

}  // namespace tilescope::observers
