// What the runtime remembers of host memory beside machine::Memory: the flags that pinned and registered memory was
// asked for with.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

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
    }
    std::optional<unsigned> flags(std::uint64_t base) const {
        const std::lock_guard lock(mutex_);
        const auto found = flags_.find(base);
        if (found == flags_.end()) return std::nullopt;
        return found->second;
    }

private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, unsigned> flags_;
};

}  // namespace tilescope::runtime
