#include "scope/machine/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "scope/base/rounding.h"
#include "scope/machine/host_touch.h"
#include "scope/machine/run_observers.h"
#include "scope/machine/same_place.h"
#include "scope/texture/objects.h"

namespace tilescope::machine {
namespace {

// Released allocations that classify() still knows.
constexpr std::size_t kFreedKept = 4096;

// CUDA lets the host load and store there.
bool is_visible_to_host(AllocationKind kind) {
    return kind == AllocationKind::kManaged || kind == AllocationKind::kPinned || kind == AllocationKind::kRegistered;
}

bool counts_against_capacity(AllocationKind kind) {
    return kind == AllocationKind::kDevice || kind == AllocationKind::kModule || kind == AllocationKind::kConstant ||
           kind == AllocationKind::kArray;
}

// What the budget counts it as; nothing for what is the program's own.
std::optional<Kept> kept_as(AllocationKind kind) {
    switch (kind) {
        case AllocationKind::kArray:
        case AllocationKind::kDevice: return Kept::kDevice;
        case AllocationKind::kManaged: return Kept::kManaged;
        case AllocationKind::kPinned: return Kept::kPinned;
        case AllocationKind::kModule:
        case AllocationKind::kConstant: return Kept::kVariables;
        case AllocationKind::kHeap: return Kept::kDevice;
        case AllocationKind::kMapped:
        case AllocationKind::kRegistered: break;
    }
    return std::nullopt;
}

// Whether the process has anything there. Pages without any access count, too.
bool is_mapped(std::uint64_t address) {
    unsigned char resident = 0;
    const std::uint64_t page = address / DeviceSpace::page() * DeviceSpace::page();
    return mincore(reinterpret_cast<void*>(page), DeviceSpace::page(), &resident) == 0;
}

}  // namespace

Memory::Memory() : textures_(std::make_unique<texture::Objects>()) {}

Memory::~Memory() {
    for (const auto& [base, storage] : by_base_) unmap(storage);
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

void Memory::fill(const Allocation& allocation) const {
    const bool is_fresh = allocation.kind == AllocationKind::kDevice || allocation.kind == AllocationKind::kHeap;
    if (fill_ != 0 && is_fresh) std::memset(allocation.at(allocation.base), fill_, allocation.size);
}

void* Memory::allocate(std::uint64_t size, AllocationKind kind, const Issue& issue) {
    const auto order = observers_ ? observers_->keep_order() : std::unique_lock<std::recursive_mutex>();
    const std::optional<Allocation> made = make(size, kind);
    if (!made) return nullptr;
    fill(*made);
    if (observers_) observers_->on_allocate({*made, issue});
    return reinterpret_cast<void*>(made->base);
}

std::optional<Allocation> Memory::make(std::uint64_t size, AllocationKind kind) {
    std::unique_lock lock(mutex_);
    const bool counted = counts_against_capacity(kind);
    if (size > (std::uint64_t{1} << 46)) return std::nullopt;
    if (counted && capacity_ != 0 && (size > capacity_ || in_use_ > capacity_ - size)) return std::nullopt;
    const std::optional<Kept> kept = kept_as(kind);
    if (kept && !budget_.take(*kept, size)) return std::nullopt;
    Storage storage;
    storage.allocation.size = size;
    storage.allocation.kind = kind;
    storage.allocation.writable = kind != AllocationKind::kConstant;
    void* const base = place(storage);
    if (base == nullptr) {
        if (kept) budget_.give(*kept, size);
        return std::nullopt;
    }
    storage.allocation.id = next_id_++;
    forget_freed(storage.allocation.base, storage.mapped);
    by_base_.emplace(storage.allocation.base, storage);
    if (counted) in_use_ += size;
    version_.fetch_add(1, std::memory_order_acq_rel);
    return storage.allocation;
}

// Finds addresses and bytes for an allocation of known size and kind.
void* Memory::place(Storage& storage) {
    // A page more than asked for keeps neighbours apart, so that an off-by-one lands outside every allocation. Zero
    // pages cost nothing until touched.
    Allocation& allocation = storage.allocation;
    storage.mapped = round_up(std::max<std::uint64_t>(allocation.size, 1), DeviceSpace::page()) + DeviceSpace::page();
    if (allocation.kind == AllocationKind::kManaged) {
        void* const mapping = map_followed(storage.mapped, next_managed_);
        if (mapping == nullptr) return nullptr;
        allocation.is_followed = true;
        allocation.base = reinterpret_cast<std::uint64_t>(mapping);
        return mapping;
    }
    if (is_visible_to_host(allocation.kind)) {
        void* const mapping = map_at(next_pinned_, storage.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE);
        if (mapping == MAP_FAILED) return nullptr;
        allocation.base = reinterpret_cast<std::uint64_t>(mapping);
        return mapping;
    }
    const auto range = device_.take(storage.mapped);
    if (!range) return nullptr;
    allocation.base = range->address;
    allocation.shift = range->shift;
    return reinterpret_cast<void*>(range->address);
}

std::vector<UsedPages> Memory::pages_of_host() const {
    const std::uint64_t page = DeviceSpace::page();
    std::shared_lock lock(mutex_);
    std::vector<UsedPages> pages;
    for (const auto& [base, storage] : by_base_) {
        const Allocation& allocation = storage.allocation;
        if (!is_visible_to_host(allocation.kind) || allocation.shift != 0 || !allocation.writable) continue;
        // Of adopted memory the first and the last page may hold other things, too.
        const std::uint64_t first = round_up(base, page), end = base + allocation.size;
        const std::uint64_t last = storage.mapped != 0 ? round_up(end, page) : end / page * page;
        if (first < last) pages.push_back({first, last, true});
    }
    return pages;
}

std::byte* Memory::bytes(std::uint64_t address) const {
    std::shared_lock lock(mutex_);
    return reinterpret_cast<std::byte*>(address + device_.shift_of(address));
}

std::uint64_t Memory::take_range(std::uint64_t size, std::uint64_t piece) {
    std::unique_lock lock(mutex_);
    const auto range = device_.take(size, piece);
    return range ? range->address : 0;
}

std::uint64_t Memory::reserve_range(std::uint64_t size, std::uint64_t alignment, std::uint64_t wanted) {
    std::unique_lock lock(mutex_);
    const auto range = device_.take_aligned(size, alignment, wanted);
    return range ? range->address : 0;
}

bool Memory::take_capacity(std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    if (capacity_ != 0 && (bytes > capacity_ || in_use_ > capacity_ - bytes)) return false;
    if (!budget_.take(Kept::kDevice, bytes)) return false;
    in_use_ += bytes;
    return true;
}

void Memory::give_capacity(std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    in_use_ -= bytes;
    budget_.give(Kept::kDevice, bytes);
}

void Memory::give_back_range(std::uint64_t base, std::uint64_t size) {
    std::unique_lock lock(mutex_);
    device_.give_back(base, size);
}

void Memory::unmap(const Storage& storage) {
    if (storage.mapped == 0) return;
    if (is_visible_to_host(storage.allocation.kind))
        munmap(reinterpret_cast<void*>(storage.allocation.base), storage.mapped);
    else
        device_.give_back(storage.allocation.base, storage.mapped);
}

bool Memory::adopt(void* base, std::uint64_t size, AllocationKind kind, bool writable) {
    const auto order = observers_ ? observers_->keep_order() : std::unique_lock<std::recursive_mutex>();
    const std::optional<Allocation> made = make_of(base, size, kind, writable);
    if (made) fill(*made);
    if (made && observers_) observers_->on_allocate({*made, {}});
    return made.has_value();
}

std::optional<Allocation> Memory::make_of(void* base, std::uint64_t size, AllocationKind kind, bool writable) {
    std::unique_lock lock(mutex_);
    const std::uint64_t at = reinterpret_cast<std::uint64_t>(base);
    if (at + size < at) return std::nullopt;
    const auto above = by_base_.lower_bound(at);
    if (above != by_base_.end() && (above->first < at + size || above->first == at)) return std::nullopt;
    if (const Allocation* below = at_or_below(at); below != nullptr && below->base + below->size > at)
        return std::nullopt;
    const std::optional<Kept> kept = kept_as(kind);
    if (kept && !budget_.take(*kept, size)) return std::nullopt;
    Storage storage;
    storage.allocation = {at, size, kind, writable, next_id_++, device_.shift_of(at), false};
    forget_freed(at, size);
    by_base_.emplace(at, storage);
    if (counts_against_capacity(kind)) in_use_ += size;
    version_.fetch_add(1, std::memory_order_acq_rel);
    return storage.allocation;
}

bool Memory::release(void* base, const Issue& issue) {
    const auto order = observers_ ? observers_->keep_order() : std::unique_lock<std::recursive_mutex>();
    if (observers_) {
        const auto going = find(reinterpret_cast<std::uint64_t>(base));
        if (going && going->base == reinterpret_cast<std::uint64_t>(base))
            observers_->on_release_begin({*going, issue});
    }
    std::unique_lock lock(mutex_);
    auto found = by_base_.find(reinterpret_cast<std::uint64_t>(base));
    if (found == by_base_.end()) return false;
    const Storage storage = found->second;
    drop(storage);
    lock.unlock();
    if (observers_) observers_->on_release({storage.allocation, issue});
    return true;
}

void Memory::drop(const Storage& storage) {
    const Allocation& allocation = storage.allocation;
    by_base_.erase(allocation.base);
    if (counts_against_capacity(allocation.kind)) in_use_ -= allocation.size;
    if (const auto kept = kept_as(allocation.kind)) budget_.give(*kept, allocation.size);
    version_.fetch_add(1, std::memory_order_acq_rel);
    unmap(storage);
    remember_freed(allocation);
}

void Memory::remember_freed(const Allocation& allocation) {
    if (allocation.size == 0) return;
    if (allocation.kind == AllocationKind::kRegistered || allocation.kind == AllocationKind::kMapped) return;
    forget_freed(allocation.base, allocation.size);
    freed_.emplace(allocation.base, allocation);
    freed_order_.emplace_back(allocation.base, allocation.id);
    while (freed_order_.size() > kFreedKept) {
        const auto [oldest, id] = freed_order_.front();
        freed_order_.pop_front();
        if (const auto found = freed_.find(oldest); found != freed_.end() && found->second.id == id)
            freed_.erase(found);
    }
}

void Memory::forget_freed(std::uint64_t base, std::uint64_t size) {
    auto first = freed_.upper_bound(base);
    if (first != freed_.begin() && std::prev(first)->second.contains(base, 1)) --first;
    while (first != freed_.end() && first->first < base + std::max<std::uint64_t>(size, 1)) first = freed_.erase(first);
}

const Allocation* Memory::at_or_below(std::uint64_t address) const {
    const auto above = by_base_.upper_bound(address);
    return above == by_base_.begin() ? nullptr : &std::prev(above)->second.allocation;
}

std::optional<Allocation> Memory::find(std::uint64_t address) const {
    std::shared_lock lock(mutex_);
    const Allocation* const below = at_or_below(address);
    if (below == nullptr || !below->contains(address, 1)) return std::nullopt;
    return *below;
}

std::optional<Allocation> Memory::find_joined(std::uint64_t address) const {
    std::optional<Allocation> found = find(address);
    if (!found || found->kind != AllocationKind::kMapped) return found;
    std::shared_lock lock(mutex_);
    const auto joins = [&](const Allocation& other) {
        return other.kind == AllocationKind::kMapped && other.shift == found->shift;
    };
    auto above = by_base_.upper_bound(address);
    for (; above != by_base_.end() && above->first == found->base + found->size && joins(above->second.allocation);
         ++above) {
        found->size += above->second.allocation.size;
        found->writable = found->writable && above->second.allocation.writable;
    }
    return found;
}

bool Memory::is_padding(std::uint64_t address, std::uint64_t bytes) const {
    std::shared_lock lock(mutex_);
    const Allocation* const below = at_or_below(address);
    if (below == nullptr || below->kind != AllocationKind::kDevice || address - below->base < below->size) return false;
    return address - (below->base + below->size) + bytes <= DeviceSpace::page();
}

std::optional<Allocation> Memory::nearest(std::uint64_t address) const {
    std::shared_lock lock(mutex_);
    std::optional<Allocation> best;
    std::uint64_t distance = ~std::uint64_t{0};
    if (const Allocation* const below = at_or_below(address)) {
        best = *below;
        distance = address - below->base < below->size ? 0 : address - (below->base + below->size);
    }
    const auto above = by_base_.upper_bound(address);
    if (above != by_base_.end() && above->first - address < distance) best = above->second.allocation;
    return best;
}

Place Memory::classify(std::uint64_t address) const {
    if (auto allocation = find(address)) return {PlaceKind::kAllocated, allocation};
    switch (virtual_memory_.state_at(address)) {
        case VirtualMemory::State::kReserved: return {PlaceKind::kReserved, nearest(address)};
        case VirtualMemory::State::kForbidden: return {PlaceKind::kForbidden, nearest(address)};
        case VirtualMemory::State::kOther: break;
    }
    bool of_device = false;
    std::optional<Allocation> freed;
    {
        std::shared_lock lock(mutex_);
        of_device = device_.holds(address);
        const auto above = freed_.upper_bound(address);
        if (above != freed_.begin() && std::prev(above)->second.contains(address, 1)) freed = std::prev(above)->second;
    }
    // The addresses of managed and pinned memory go back to the host, which may use them again.
    const bool host = !of_device && is_mapped(address);
    if (freed && !host) return {PlaceKind::kFreed, freed};
    if (of_device) return {PlaceKind::kDevice, nearest(address)};
    return {host ? PlaceKind::kHost : PlaceKind::kNowhere, std::nullopt};
}

bool Memory::was_freed(std::uint64_t address) const {
    std::shared_lock lock(mutex_);
    const auto above = freed_.upper_bound(address);
    return above != freed_.begin() && std::prev(above)->second.contains(address, 1) && device_.holds(address);
}

std::vector<Allocation> Memory::all() const {
    std::shared_lock lock(mutex_);
    std::vector<Allocation> list;
    list.reserve(by_base_.size());
    for (const auto& [base, storage] : by_base_) list.push_back(storage.allocation);
    return list;
}

std::uint64_t Memory::texels_of(std::uint64_t handle) const {
    if (const texture::Texture* const texture = textures_->texture(handle)) return texture->image.address;
    const texture::Surface* const surface = textures_->surface(handle);
    return surface == nullptr ? 0 : surface->image.address;
}

}  // namespace tilescope::machine
