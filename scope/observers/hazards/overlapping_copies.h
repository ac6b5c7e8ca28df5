// OverlappingCopies: copies whose source and target share bytes, which CUDA forbids, for --check memory.
//
// Owns: what was found since it was last asked. Guarantees: exact by byte, for rows and volumes of rows as well; one
// finding for each call site. Does not model: two addresses of one piece of mapped memory (cuMemMap); the host's own
// memory, which has no allocation.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "scope/machine/run_observer.h"

namespace tilescope::observers {

struct OverlappingCopy {
    std::uint64_t site = 0;  // of the call, as site() gave it
    machine::Issue issue;
    std::uint64_t bytes = 0, shared = 0;  // of the copy, and what source and target share
    std::int64_t distance = 0;            // from the source's first byte to the target's
    bool is_onto_itself = false;          // every byte goes where it is
    machine::Allocation allocation;
    std::uint64_t offset = 0;  // of the first shared byte within it
};

// What source and target of a copy share.
struct CopyOverlap {
    std::uint64_t bytes = 0, first = 0;
};
CopyOverlap overlap_of(const machine::CopyEvent& copy);

class OverlappingCopies final : public machine::RunObserver {
public:
    explicit OverlappingCopies(const machine::Memory& memory) : memory_(memory) {}

    void set_site(std::function<std::uint64_t()> site) { site_ = std::move(site); }
    bool has_news() const { return has_news_.load(std::memory_order_acquire); }
    std::vector<OverlappingCopy> take();

    void on_copy(const machine::CopyEvent& event) override;

private:
    const machine::Memory& memory_;
    std::function<std::uint64_t()> site_;
    std::mutex mutex_;
    std::set<std::pair<std::uint64_t, bool>> known_;  // sites, and whether onto themselves
    std::vector<OverlappingCopy> found_;
    std::atomic<bool> has_news_{false};
};

}  // namespace tilescope::observers
