// Rules of block placement and of warp scheduling.
//
// Guarantees: the code contains no figure of a GPU; the device's description has them, with their sources
// (docs/reference/devices.md).
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::observers {

struct SchedulerRules {
    std::uint32_t sms = 1;
    std::uint64_t blocks_per_sm = 1;
    // Blocks go to one group of SMs after the other, one to each SM that has room; groups are `sms_in_turn`, SMs are
    // numbered through. The first group comes again after every `turns_between` others.
    std::vector<std::uint32_t> sms_in_turn = {1};
    std::uint32_t first_turns = 0, turns_between = 0;  // 0: it comes when all others have
    std::vector<std::uint8_t> gpc;                     // by SM: those whose reads meet on the way to L2
    // How many turns of the others' later the first group gets its share of the blocks that are left over: of up to
    // `few_left` of them one for each beyond `few_turns`, of more `left_turns` and so many for each.
    std::uint32_t few_left = 0, few_turns = 0;
    double left_turns = 0, turns_per_left = 0;
    // From one block to the next that begins in a GPC: when a launch begins, and where another one has ended; at the
    // least from the end of a block to the begin of the next in its place; from one warp of a block to the next, and
    // what each four warps are behind besides.
    std::uint32_t cycles_per_first_block = 1, cycles_per_block = 1, block_pause = 0, cycles_per_warp = 0,
                  four_behind = 0;
    // Pairs of a GPC's SMs stand in so many files; all but the first begin a launch so many cycles later, file by file.
    std::uint32_t pair_files = 1, file_delay = 0;
    // Accesses that wait for a scheduler in the order in which they came.
    std::uint32_t in_order = 1;
    bool operator==(const SchedulerRules&) const = default;
};

}  // namespace tilescope::observers
