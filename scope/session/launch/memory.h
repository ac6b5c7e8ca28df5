// The part of launches in what a run may keep (--memory-limit).
#pragma once

#include <optional>

#include "scope/machine/grid.h"
#include "scope/session/session_state.h"

namespace tilescope {

// The launch, and with it the run, has come to the end of what it may keep.
void end_at_memory_limit(const std::string& kernel, const std::string& why, LaunchResult& result);

// What the blocks of a grid that run at once take, for as long as this object lives.
class BlockMemory {
public:
    BlockMemory(machine::MemoryBudget& budget, const machine::GridRequest& grid);
    ~BlockMemory();
    BlockMemory(const BlockMemory&) = delete;
    BlockMemory& operator=(const BlockMemory&) = delete;

    // Why it does not fit; nothing when it does.
    const std::optional<std::string>& refusal() const { return refusal_; }

private:
    machine::MemoryBudget& budget_;
    std::uint64_t bytes_;
    std::optional<std::string> refusal_;
};

// Why what the observers of a launch noted does not fit, if so. It is counted for this moment only.
std::optional<std::string> count_tables(machine::MemoryBudget& budget, const machine::GridResult& run);

// Counts a finished launch, which stays in the profile, among `kept` bytes. Why it does not fit, if so.
std::optional<std::string> keep_launch(machine::MemoryBudget& budget, const LaunchProfile& launch, std::uint64_t& kept);

}  // namespace tilescope
