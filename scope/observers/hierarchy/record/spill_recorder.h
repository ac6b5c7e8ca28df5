// SpillRecorder: inserts a block's spills between the requests of its warps.
//
// Owns: each warp's position in its basic block, from announced accesses and barriers. Guarantees: a spill runs at its
// place in the block, before or after its op, or when the warp has left the block. Does not model: basic blocks
// without any access.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "scope/observers/hierarchy/record/spills.h"
#include "scope/observers/hierarchy/record/traffic.h"

namespace tilescope::observers {

// 32-bit words that warps spilled and brought back, of all workers.
struct SpillTally {
    std::atomic<std::uint64_t> loads{0}, stores{0};
};

class SpillRecorder {
public:
    // `op`: what counts as the instruction that spills.
    SpillRecorder(std::shared_ptr<const SpillPlan> plan, std::shared_ptr<SpillTally> tally, std::uint32_t op);

    void begin_block();
    // A warp is at an op of a basic block; it is new there, or once more.
    void come_to(unsigned warp, bool is_new, std::uint32_t block, std::uint32_t op, BlockTraffic& traffic);
    void end_block(BlockTraffic& traffic);
    void forget_shapes() { shapes_ = {}; }

private:
    static constexpr unsigned kWidths = 3;  // geometry: 1, 2 and 4 words

    struct WarpAt {
        std::uint32_t next = 0, end = 0;  // of the plan's accesses
        std::uint32_t turn = 0;
    };

    void run(unsigned warp, BlockTraffic& traffic);
    std::uint32_t shape_of(const SpillAccess& spill, bool is_last_warp, BlockTraffic& traffic);

    std::shared_ptr<const SpillPlan> plan_;
    std::shared_ptr<SpillTally> tally_;
    std::uint32_t op_;
    unsigned warp_count_;
    std::vector<WarpAt> warps_;
    std::vector<std::uint32_t> slots_;  // by basic block: of those with spills, its number
    std::vector<std::uint32_t> turns_;  // by warp and such a block
    std::uint32_t slot_count_ = 0;
    std::uint64_t loads_ = 0, stores_ = 0;  // of the block
    // By kind, width, and whether the warp is the block's last.
    std::array<std::uint32_t, 2 * kWidths * 2> shapes_{};
};

}  // namespace tilescope::observers
