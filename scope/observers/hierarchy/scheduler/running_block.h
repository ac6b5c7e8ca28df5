// RunningBlock: a delivered block in the simulation, with its requests sorted by warp.
//
// Owns: its requests, and what its warps wait for. Guarantees: finished blocks pass their memory to later ones, also
// of later launches, up to kMostSpare bytes, so the host doesn't clear it each time.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/hierarchy/scheduler/warp_requests.h"

namespace tilescope::observers {

struct RunningBlock {
    BlockTraffic traffic;  // but its requests, which are these:
    WarpRequests requests;
    std::uint64_t count = 0;                                       // of them
    std::uint32_t place = 0;                                       // SM and slot
    std::uint32_t live = 0;                                        // warps
    std::vector<std::uint16_t> arrived;                            // at each meeting
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting;  // meeting, warp

    // What was requested, of so many warps; `from` is left with memory for another block.
    static std::unique_ptr<RunningBlock> of(BlockTraffic& from, std::uint32_t warps);
    // They are done with.
    static void leave(std::vector<std::unique_ptr<RunningBlock>>& blocks);

    std::uint64_t bytes() const { return traffic.bytes() + requests.bytes(); }

private:
    static constexpr std::uint64_t kMostSpare = 32 << 20;  // numeric: of the host's memory

    // What it has room for.
    std::uint64_t room() const {
        return requests.room() + traffic.words.capacity() * sizeof(std::uint64_t) + sizeof(RunningBlock);
    }
    struct Spare;
    static Spare& spare();
};

}  // namespace tilescope::observers
