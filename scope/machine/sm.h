// SmArray: which SM takes the next block.
//
// Owns: the number of resident blocks of each SM. Guarantees: a block goes to the SM with the most room, and of
// several to the lowest. So a launch first visits all SMs, then those where a block has ended. Does not model:
// hardware's choice among SMs with room, and blocks of other launches.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tilescope::machine {

class SmArray {
public:
    // blocks_per_sm 0: as many as come.
    SmArray(std::uint32_t count, std::uint64_t blocks_per_sm);

    // The SM that takes one more block; nothing when all are full.
    std::optional<std::uint32_t> place();
    // A block that was there has ended.
    void leave(std::uint32_t sm);

private:
    std::uint64_t blocks_per_sm_;
    std::vector<std::uint64_t> resident_;                        // by SM
    std::set<std::pair<std::uint64_t, std::uint32_t>> by_load_;  // (resident blocks, SM)
};

}  // namespace tilescope::machine
