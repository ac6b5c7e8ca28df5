#include "scope/machine/memory.h"

#include <sys/mman.h>

#include <cstring>

namespace tilescope::machine {
namespace {

constexpr std::uint64_t kPage = 4096;

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

bool counts_against_capacity(AllocationKind kind) {
    return kind == AllocationKind::kDevice || kind == AllocationKind::kManaged || kind == AllocationKind::kPinned;
}

}  // namespace

Memory::Memory() = default;

Memory::~Memory() {
    for (auto& [base, storage] : by_base_)
        if (storage.mapping) munmap(storage.mapping, storage.mapped);
}

void Memory::set_capacity(std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    capacity_ = bytes;
}

std::uint64_t Memory::capacity() const {
    std::shared_lock lock(mutex_);
    return capacity_;
}

std::uint64_t Memory::in_use() const {
    std::shared_lock lock(mutex_);
    return in_use_;
}

void* Memory::allocate(std::uint64_t size, AllocationKind kind) {
    std::unique_lock lock(mutex_);
    const bool counted = counts_against_capacity(kind);
    if (size > (std::uint64_t{1} << 46)) return nullptr;
    if (counted && capacity_ != 0 && (size > capacity_ || in_use_ > capacity_ - size)) return nullptr;
    // A mapping per allocation: zero pages cost nothing until touched, and neighbours are never adjacent by chance of a
    // heap, so an off-by-one lands outside every allocation.
    const std::uint64_t mapped = round_up(size == 0 ? 1 : size, kPage) + kPage;
    void* mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return nullptr;
    Storage storage;
    storage.allocation = {reinterpret_cast<std::uint64_t>(mapping), size, kind, kind != AllocationKind::kConstant,
                          next_id_++};
    storage.mapping = mapping;
    storage.mapped = mapped;
    by_base_.emplace(storage.allocation.base, storage);
    if (counted) in_use_ += size;
    version_.fetch_add(1, std::memory_order_acq_rel);
    return mapping;
}

bool Memory::adopt(void* base, std::uint64_t size, AllocationKind kind, bool writable) {
    std::unique_lock lock(mutex_);
    const std::uint64_t at = reinterpret_cast<std::uint64_t>(base);
    if (at + size < at) return false;
    auto above = by_base_.lower_bound(at);
    if (above != by_base_.end() && above->first < at + size) return false;
    if (above != by_base_.end() && above->first == at) return false;
    if (above != by_base_.begin()) {
        const Allocation& below = std::prev(above)->second.allocation;
        if (below.base + below.size > at) return false;
    }
    Storage storage;
    storage.allocation = {at, size, kind, writable, next_id_++};
    by_base_.emplace(at, storage);
    version_.fetch_add(1, std::memory_order_acq_rel);
    return true;
}

bool Memory::release(void* base) {
    std::unique_lock lock(mutex_);
    auto found = by_base_.find(reinterpret_cast<std::uint64_t>(base));
    if (found == by_base_.end()) return false;
    Storage storage = found->second;
    by_base_.erase(found);
    if (counts_against_capacity(storage.allocation.kind)) in_use_ -= storage.allocation.size;
    version_.fetch_add(1, std::memory_order_acq_rel);
    if (storage.mapping) munmap(storage.mapping, storage.mapped);
    return true;
}

std::optional<Allocation> Memory::find(std::uint64_t address) const {
    std::shared_lock lock(mutex_);
    auto above = by_base_.upper_bound(address);
    if (above == by_base_.begin()) return std::nullopt;
    const Allocation& below = std::prev(above)->second.allocation;
    if (!below.contains(address, 1)) return std::nullopt;
    return below;
}

std::optional<Allocation> Memory::nearest(std::uint64_t address) const {
    std::shared_lock lock(mutex_);
    if (by_base_.empty()) return std::nullopt;
    auto above = by_base_.upper_bound(address);
    std::optional<Allocation> best;
    std::uint64_t distance = ~std::uint64_t{0};
    if (above != by_base_.begin()) {
        const Allocation& below = std::prev(above)->second.allocation;
        best = below;
        distance = address - below.base < below.size ? 0 : address - (below.base + below.size);
    }
    if (above != by_base_.end() && above->first - address < distance) best = above->second.allocation;
    return best;
}

std::vector<Allocation> Memory::all() const {
    std::shared_lock lock(mutex_);
    std::vector<Allocation> list;
    list.reserve(by_base_.size());
    for (const auto& [base, storage] : by_base_) list.push_back(storage.allocation);
    return list;
}

}  // namespace tilescope::machine
