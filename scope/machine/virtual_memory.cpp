#include "scope/machine/virtual_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "scope/machine/memory.h"

namespace tilescope::machine {
namespace {

void* storage_at(const Memory& memory, std::uint64_t address) { return memory.bytes(address); }

// The storage behind reserved addresses is empty memory, as device memory is that nobody has.
void make_empty(const Memory& memory, std::uint64_t address, std::uint64_t bytes) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    // Over addresses that are ours already, and of no file: nothing to fail by.
    (void)mmap(storage_at(memory, address), bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
}

}  // namespace

VirtualMemory::~VirtualMemory() {
    for (const auto& [handle, physical] : physical_) close(physical.file);
}

std::uint64_t VirtualMemory::reserve(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t wanted) {
    const std::uint64_t base = memory_.reserve_range(bytes, std::max(alignment, kGrain), wanted);
    if (base == 0) return 0;
    const std::unique_lock lock(mutex_);
    reserved_.emplace(base, bytes);
    return base;
}

bool VirtualMemory::free_addresses(std::uint64_t base, std::uint64_t bytes) {
    {
        const std::unique_lock lock(mutex_);
        const auto found = reserved_.find(base);
        if (found == reserved_.end() || found->second != bytes) return false;
        const auto mapped = mappings_.lower_bound(base);
        if (mapped != mappings_.end() && mapped->first - base < bytes) return false;
        reserved_.erase(found);
    }
    memory_.give_back_range(base, bytes);
    return true;
}

std::optional<VirtualMemory::Range> VirtualMemory::reserved_around(std::uint64_t address) const {
    const std::shared_lock lock(mutex_);
    const auto above = reserved_.upper_bound(address);
    if (above == reserved_.begin()) return std::nullopt;
    const auto& [base, size] = *std::prev(above);
    if (address - base >= size) return std::nullopt;
    return Range{base, size};
}

std::uint64_t VirtualMemory::create(std::uint64_t bytes) {
    if (!memory_.take_capacity(bytes)) return 0;
    const int file = memfd_create("device memory", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) {
        if (file >= 0) close(file);
        memory_.give_capacity(bytes);
        return 0;
    }
    const std::unique_lock lock(mutex_);
    physical_.emplace(next_handle_, Physical{bytes, file, 1, 0});
    return next_handle_++;
}

std::optional<std::uint64_t> VirtualMemory::size_of(std::uint64_t handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = physical_.find(handle);
    if (found == physical_.end() || found->second.holders == 0) return std::nullopt;
    return found->second.size;
}

void VirtualMemory::let_go(std::uint64_t handle) {
    const auto found = physical_.find(handle);
    if (found->second.holders != 0 || found->second.mappings != 0) return;
    close(found->second.file);
    memory_.give_capacity(found->second.size);
    physical_.erase(found);
}

bool VirtualMemory::release(std::uint64_t handle) {
    const std::unique_lock lock(mutex_);
    const auto found = physical_.find(handle);
    if (found == physical_.end() || found->second.holders == 0) return false;
    --found->second.holders;
    let_go(handle);
    return true;
}

VirtualMemory::Mappings::const_iterator VirtualMemory::around(const Mappings& mappings, std::uint64_t address) {
    const auto above = mappings.upper_bound(address);
    if (above == mappings.begin()) return mappings.end();
    const auto below = std::prev(above);
    return address - below->first < below->second.size ? below : mappings.end();
}

std::uint64_t VirtualMemory::hold_at(std::uint64_t address) {
    const std::unique_lock lock(mutex_);
    const auto found = around(mappings_, address);
    if (found == mappings_.end()) return 0;
    ++physical_.at(found->second.handle).holders;
    return found->second.handle;
}

bool VirtualMemory::map(std::uint64_t at, std::uint64_t handle) {
    const auto range = reserved_around(at);
    const auto size = size_of(handle);
    if (!range || !size || at % kGrain != 0 || *size > range->size - (at - range->base)) return false;
    const std::unique_lock lock(mutex_);
    const auto above = mappings_.lower_bound(at);
    const bool is_taken =
        (above != mappings_.end() && above->first - at < *size) || around(mappings_, at) != mappings_.end();
    if (is_taken) return false;
    Physical& physical = physical_.at(handle);
    void* const storage = storage_at(memory_, at);
    if (mmap(storage, *size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical.file, 0) == MAP_FAILED)
        return false;
    ++physical.mappings;
    mappings_.emplace(at, Mapping{*size, handle});
    return true;
}

std::optional<std::vector<std::uint64_t>> VirtualMemory::whole_within(std::uint64_t at, std::uint64_t bytes) const {
    const std::shared_lock lock(mutex_);
    if (const auto first = around(mappings_, at); first != mappings_.end() && first->first != at) return std::nullopt;
    std::vector<std::uint64_t> found;
    for (auto one = mappings_.lower_bound(at); one != mappings_.end() && one->first - at < bytes; ++one) {
        if (one->second.size > bytes - (one->first - at)) return std::nullopt;
        found.push_back(one->first);
    }
    return found;
}

// Memory is told outside the lock: whoever follows allocations may ask what lies where.
void VirtualMemory::show(std::uint64_t base, const Mapping& mapping, Access access) {
    auto* const at = reinterpret_cast<void*>(base);
    if (mapping.access != Access::kNone) memory_.release(at);
    if (access != Access::kNone)
        memory_.adopt(at, mapping.size, AllocationKind::kMapped, access == Access::kReadAndWrite);
}

void VirtualMemory::drop(std::uint64_t base) {
    Mapping mapping;
    {
        const std::unique_lock lock(mutex_);
        mapping = mappings_.at(base);
        mappings_.erase(base);
    }
    show(base, mapping, Access::kNone);
    make_empty(memory_, base, mapping.size);
    const std::unique_lock lock(mutex_);
    --physical_.at(mapping.handle).mappings;
    let_go(mapping.handle);
}

bool VirtualMemory::unmap(std::uint64_t at, std::uint64_t bytes) {
    const auto range = reserved_around(at);
    if (!range || bytes > range->size - (at - range->base)) return false;
    const auto bases = whole_within(at, bytes);
    if (!bases) return false;
    for (const std::uint64_t base : *bases) drop(base);
    return true;
}

bool VirtualMemory::allow(std::uint64_t at, std::uint64_t bytes, Access access) {
    const auto bases = whole_within(at, bytes);
    if (!bases) return false;
    std::uint64_t end = at;
    for (const std::uint64_t base : *bases) {
        if (base != end) return false;
        end += mappings_.at(base).size;
    }
    if (end != at + bytes) return false;
    for (const std::uint64_t base : *bases) {
        Mapping before;
        {
            const std::unique_lock lock(mutex_);
            before = mappings_.at(base);
            mappings_.at(base).access = access;
        }
        if (before.access != access) show(base, before, access);
    }
    return true;
}

std::optional<VirtualMemory::Access> VirtualMemory::access_at(std::uint64_t address) const {
    const std::shared_lock lock(mutex_);
    const auto found = around(mappings_, address);
    if (found == mappings_.end()) return std::nullopt;
    return found->second.access;
}

VirtualMemory::State VirtualMemory::state_at(std::uint64_t address) const {
    if (access_at(address)) return State::kForbidden;
    return reserved_around(address) ? State::kReserved : State::kOther;
}

void VirtualMemory::clear() {
    while (!mappings_.empty()) drop(mappings_.begin()->first);
    while (!reserved_.empty()) free_addresses(reserved_.begin()->first, reserved_.begin()->second);
    const std::unique_lock lock(mutex_);
    for (const auto& [handle, physical] : physical_) {
        close(physical.file);
        memory_.give_capacity(physical.size);
    }
    physical_.clear();
}

}  // namespace tilescope::machine
