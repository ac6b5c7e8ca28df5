// What the runtime remembers of memory beside machine::Memory: the flags that pinned and registered memory was asked
// for with, and which calls asked for device memory and gave it back.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "scope/runtime/service/watch/host_fault.h"

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
    // Of small pinned allocations those that agree in `kind` share what the first of them asked for.
    unsigned flags_of_piece(unsigned flags, unsigned kind) {
        const std::lock_guard lock(mutex_);
        return pieces_.try_emplace(flags & kind, flags).first->second;
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        flags_.clear();
        pieces_.clear();
        sites_.clear();
        freed_.clear();
    }
    // By Allocation::id. Of a program that allocates without end the latest are kept.
    void note_site(std::uint64_t id, const CallSite& site) { note(sites_, id, site); }
    void note_freed(std::uint64_t id, const CallSite& site) { note(freed_, id, site); }
    std::optional<CallSite> site(std::uint64_t id) const { return known(sites_, id); }
    std::optional<CallSite> freed(std::uint64_t id) const { return known(freed_, id); }
    std::optional<unsigned> flags(std::uint64_t base) const {
        const std::lock_guard lock(mutex_);
        const auto found = flags_.find(base);
        if (found == flags_.end()) return std::nullopt;
        return found->second;
    }

private:
    using Sites = std::map<std::uint64_t, CallSite>;
    static constexpr std::size_t kSitesKept = 65536;

    void note(Sites& sites, std::uint64_t id, const CallSite& site) {
        const std::lock_guard lock(mutex_);
        sites[id] = site;
        if (sites.size() > kSitesKept) sites.erase(sites.begin());
    }
    std::optional<CallSite> known(const Sites& sites, std::uint64_t id) const {
        const std::lock_guard lock(mutex_);
        const auto found = sites.find(id);
        if (found == sites.end()) return std::nullopt;
        return found->second;
    }

    mutable std::mutex mutex_;
    std::map<std::uint64_t, unsigned> flags_;
    std::map<unsigned, unsigned> pieces_;
    Sites sites_, freed_;
};

}  // namespace tilescope::runtime
