#include "scope/observers/hierarchy/scheduler/running_block.h"

#include <mutex>

namespace tilescope::observers {

struct RunningBlock::Spare {
    std::mutex mutex;
    std::vector<std::unique_ptr<RunningBlock>> blocks;
    std::uint64_t bytes = 0;

    std::unique_ptr<RunningBlock> take() {
        const std::lock_guard lock(mutex);
        if (blocks.empty()) return std::make_unique<RunningBlock>();
        std::unique_ptr<RunningBlock> taken = std::move(blocks.back());
        blocks.pop_back();
        bytes -= taken->room();
        return taken;
    }
};

RunningBlock::Spare& RunningBlock::spare() {
    static Spare* const all = new Spare;  // outlives whoever replays while the program ends
    return *all;
}

std::unique_ptr<RunningBlock> RunningBlock::of(BlockTraffic& from, std::uint32_t warps) {
    std::unique_ptr<RunningBlock> block = spare().take();
    block->live = warps;
    block->place = 0;
    block->waiting.clear();
    block->arrived.assign(from.meetings.size(), 0);
    block->requests.fill(from.requests, warps);
    block->count = from.requests.size();
    block->traffic.block = from.block;
    block->traffic.words.swap(from.words);
    block->traffic.meetings.swap(from.meetings);
    from.requests.clear();
    from.words.clear();
    from.meetings.clear();
    return block;
}

void RunningBlock::leave(std::vector<std::unique_ptr<RunningBlock>>& blocks) {
    Spare& kept = spare();
    const std::lock_guard lock(kept.mutex);
    for (std::unique_ptr<RunningBlock>& block : blocks) {
        const std::uint64_t room = block->room();
        if (kept.bytes + room > kMostSpare) continue;
        kept.bytes += room;
        kept.blocks.push_back(std::move(block));
    }
    blocks.clear();
}

}  // namespace tilescope::observers
