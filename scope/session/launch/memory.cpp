#include "scope/session/launch/memory.h"

#include "scope/observers/counting.h"

namespace tilescope {
namespace {

template <class T>
std::uint64_t bytes_of(const std::vector<T>& list) {
    return list.capacity() * sizeof(T);
}

}  // namespace

void end_at_memory_limit(const std::string& kernel, const std::string& why, LaunchResult& result) {
    result.status = LaunchStatus::kLimit;
    result.diagnostics.push_back(error(kMemoryLimitCode, {}, kernel + ": " + why, kMemoryLimitHint));
}

BlockMemory::BlockMemory(machine::MemoryBudget& budget, const machine::GridRequest& grid)
    : budget_(budget), bytes_(machine::working_bytes(grid)) {
    if (budget_.take(machine::Kept::kBlocks, bytes_)) return;
    refusal_ = budget_.refusal(bytes_, "a launch whose threads take registers, stacks and shared memory");
    bytes_ = 0;
}

BlockMemory::~BlockMemory() { budget_.give(machine::Kept::kBlocks, bytes_); }

std::optional<std::string> count_tables(machine::MemoryBudget& budget, const machine::GridResult& run) {
    std::uint64_t bytes = 0;
    for (const auto& observer : run.observers)
        bytes += static_cast<const observers::CountingObserver&>(*observer).table_bytes();
    if (!budget.take(machine::Kept::kTables, bytes))
        return budget.refusal(bytes, "what is noted of a launch's accesses");
    budget.give(machine::Kept::kTables, bytes);
    return std::nullopt;
}

std::optional<std::string> keep_launch(machine::MemoryBudget& budget, const LaunchProfile& launch,
                                       std::uint64_t& kept) {
    const std::uint64_t bytes = sizeof(LaunchProfile) + launch.kernel.capacity() + launch.entry.capacity() +
                                bytes_of(launch.lines) + bytes_of(launch.buffers) + bytes_of(launch.cached_buffers) +
                                bytes_of(launch.hazards) + bytes_of(launch.advice) + bytes_of(launch.variables);
    if (budget.take(machine::Kept::kProfile, bytes)) {
        kept += bytes;
        return std::nullopt;
    }
    return budget.refusal(bytes, "the profile of one more launch");
}

}  // namespace tilescope
