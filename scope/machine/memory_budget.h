// MemoryBudget: the limit of a run's memory (--memory-limit), and how much each purpose uses.
//
// Owns: MemoryBudget. Guarantees: take() never lets the sum pass the limit. All members may be called from several
// threads. Does not model: allocations of the program's host code, and the tool's own fixed size.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "scope/machine/shared_budget.h"

namespace tilescope::machine {

enum class Kept : std::uint8_t {
    kDevice,     // cudaMalloc and its kin
    kManaged,    // cudaMallocManaged
    kPinned,     // cudaMallocHost and its kin
    kVariables,  // __device__, __managed__ and __constant__ variables
    kBlocks,     // blocks that run: stacks, registers and shared memory of their threads
    kTables,     // what observers note while a kernel runs
    kProfile,    // finished launches
};
inline constexpr std::size_t kKeptKinds = 7;

class MemoryBudget {
public:
    // 0: no limit.
    void set_limit(std::uint64_t bytes) { limit_ = bytes; }
    std::uint64_t limit() const { return limit_; }
    // The limit holds for all processes that share this file (shared_budget.h). False: it cannot be had.
    bool share(const std::string& path) { return shared_.open(path); }

    // False, and nothing changes, when the sum would pass the limit.
    bool take(Kept kind, std::uint64_t bytes);
    bool fits(std::uint64_t bytes) const;
    void give(Kept kind, std::uint64_t bytes);
    std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
    std::uint64_t used(Kept kind) const { return by_kind_[static_cast<std::size_t>(kind)].load(); }

    // Why `bytes` for `what` do not fit: "an allocation of 64 bytes passes the memory limit of 100 bytes; in use:
    // device memory 90, pinned memory 8".
    std::string refusal(std::uint64_t bytes, const std::string& what) const;

private:
    std::uint64_t used_by_others() const { return shared_.is_open() ? shared_.used_by_others() : 0; }

    std::uint64_t limit_ = 0;
    mutable SharedBudget shared_;  // looking at it forgets processes that have ended
    std::atomic<std::uint64_t> used_{0};
    std::array<std::atomic<std::uint64_t>, kKeptKinds> by_kind_{};
};

}  // namespace tilescope::machine
