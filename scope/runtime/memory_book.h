// What the runtime remembers of memory beside machine::Memory: the flags that pinned and registered memory was asked
// for with, and which call asked for device memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "scope/runtime/host_fault.h"

namespace tilescope::runtime {

class MemoryBook {
public:
    void add(const void* base, unsigned flags) {
        const std::lock_guard lock(mutex_);
        flags_[reinterpret_cast<std::uint64_t>(base)] = flags;
    }
    void remove(const void* base) {
        const std::lock_guard lock(mutex_);
        flags_.erase(reinterpret_cast<std::uint64_t>(base));
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        flags_.clear();
        sites_.clear();
    }
    // By Allocation::id. Of a program that allocates without end the latest are kept.
    void note_site(std::uint64_t id, const CallSite& site) {
        const std::lock_guard lock(mutex_);
        sites_[id] = site;
        if (sites_.size() > kSitesKept) sites_.erase(sites_.begin());
    }
    std::optional<CallSite> site(std::uint64_t id) const {
        const std::lock_guard lock(mutex_);
        const auto found = sites_.find(id);
        if (found == sites_.end()) return std::nullopt;
        return found->second;
    }
    std::optional<unsigned> flags(std::uint64_t base) const {
        const std::lock_guard lock(mutex_);
        const auto found = flags_.find(base);
        if (found == flags_.end()) return std::nullopt;
        return found->second;
    }

private:
    mutable std::mutex mutex_;
    static constexpr std::size_t kSitesKept = 65536;
    std::map<std::uint64_t, unsigned> flags_;
    std::map<std::uint64_t, CallSite> sites_;
};

}  // namespace tilescope::runtime
