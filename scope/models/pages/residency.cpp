#include "scope/models/pages/residency.h"

#include <algorithm>
#include <utility>

namespace tilescope::models {
namespace {

constexpr std::uint64_t kLeavesOfTree = kTreeBytes / kLeafBytes;

}  // namespace

void Residency::add(std::uint64_t base, std::uint64_t size) {
    if (size != 0) ranges_[base] = size;
}

void Residency::remove(std::uint64_t base) {
    const auto range = ranges_.find(base);
    if (range == ranges_.end()) return;
    const auto first = leaves_.lower_bound(base / kLeafBytes);
    const auto last = leaves_.upper_bound((base + range->second - 1) / kLeafBytes);
    for (auto leaf = first; leaf != last; ++leaf)
        if (leaf->second.on_device) resident_ -= bytes_of(leaf->first);
    leaves_.erase(first, last);
    ranges_.erase(range);
}

void Residency::set_capacity(std::uint64_t bytes) {
    capacity_ = bytes;
    make_room(0, ~std::uint64_t{0});
}

std::uint64_t Residency::end_of_range(std::uint64_t number) const {
    const std::uint64_t address = number * kLeafBytes;
    auto range = ranges_.upper_bound(address);
    if (range == ranges_.begin()) return 0;
    --range;
    return address < range->first + range->second ? range->first + range->second : 0;
}

std::uint64_t Residency::bytes_of(std::uint64_t number) const {
    const std::uint64_t end = end_of_range(number);
    return end == 0 ? 0 : std::min(kLeafBytes, end - number * kLeafBytes);
}

void Residency::use(std::uint64_t number) {
    Tree& tree = trees_[number];
    if (tree.is_listed) by_use_.erase(tree.last_use);
    tree.last_use = ++clock_;
    tree.is_listed = true;
    by_use_[tree.last_use] = number;
}

void Residency::leave_device(std::uint64_t number, Leaf& leaf) {
    leaf.on_device = false;
    resident_ -= bytes_of(number);
}

// What only the device has goes back to the host.
void Residency::evict(std::uint64_t number) {
    const auto first = leaves_.lower_bound(number * kLeavesOfTree);
    for (auto leaf = first; leaf != leaves_.end() && leaf->first < (number + 1) * kLeavesOfTree; ++leaf) {
        if (!leaf->second.on_device) continue;
        const std::uint64_t bytes = bytes_of(leaf->first);
        leave_device(leaf->first, leaf->second);
        leaf->second.was_evicted = true;
        moves_.evicted_bytes += bytes;
        if (!leaf->second.on_host) moves_.to_host_bytes += bytes;
        leaf->second.on_host = true;
    }
}

void Residency::make_room(std::uint64_t bytes, std::uint64_t keep) {
    while (resident_ + bytes > capacity_ && !by_use_.empty()) {
        auto oldest = by_use_.begin();
        if (oldest->second == keep && std::next(oldest) == by_use_.end()) return;
        if (oldest->second == keep) ++oldest;
        const std::uint64_t tree = oldest->second;
        by_use_.erase(oldest);
        trees_[tree].is_listed = false;
        evict(tree);
    }
}

// The leaf is on the device from here on.
void Residency::bring(std::uint64_t number, bool writes) {
    const std::uint64_t bytes = bytes_of(number), tree = number / kLeavesOfTree;
    use(tree);
    make_room(bytes, tree);
    Leaf& leaf = leaves_[number];
    if (leaf.on_host) moves_.to_device_bytes += bytes;
    leaf.on_host = leaf.on_host && leaf.is_read_mostly && !writes;
    leaf.on_device = leaf.was_on_device = true;
    resident_ += bytes;
    peak_ = std::max(peak_, resident_);
}

// The leaf is on the host from here on.
void Residency::bring_back(std::uint64_t number, bool writes) {
    Leaf& leaf = leaves_[number];
    if (leaf.on_device && !leaf.on_host) moves_.to_host_bytes += bytes_of(number);
    leaf.on_host = true;
    leaf.was_evicted = false;
    if (leaf.on_device && (writes || !leaf.is_read_mostly)) leave_device(number, leaf);
}

template <class IsThere, class Bring>
void Residency::fetch_neighbours(std::uint64_t number, IsThere&& is_there, Bring&& bring) {
    const auto has = [&](std::uint64_t other) {
        const auto leaf = leaves_.find(other);
        return leaf != leaves_.end() && is_there(leaf->second);
    };
    for (std::uint64_t size = 2; size <= kLeavesOfTree; size *= 2) {
        const std::uint64_t first = number / size * size;
        std::uint64_t there = 0, all = 0;
        for (std::uint64_t other = first; other < first + size; ++other) {
            if (end_of_range(other) == 0) continue;
            ++all;
            there += has(other) ? 1 : 0;
        }
        if (2 * there <= all) continue;
        for (std::uint64_t other = first; other < first + size; ++other)
            if (end_of_range(other) != 0 && !has(other)) bring(other);
    }
}

void Residency::touch_on_device(std::uint64_t address, bool writes) {
    const std::uint64_t number = address / kLeafBytes;
    const std::uint64_t bytes = bytes_of(number);
    if (bytes == 0) return;
    Leaf& leaf = leaves_[number];
    if (!std::exchange(leaf.was_touched, true)) touched_ += bytes;
    if (leaf.on_device) {
        if (writes) leaf.on_host = false;
        return use(number / kLeavesOfTree);
    }
    if (leaf.prefers_host || (leaf.is_mapped && leaf.on_host)) {
        leaf.on_host = true;
        // Where it was not told that the device would come, its first touch is a fault that maps the leaf.
        if (!leaf.is_mapped && leaf.reached_in == 0) ++moves_.faults;
        if (std::exchange(leaf.reached_in, takes_) != takes_) moves_.mapped_bytes += bytes;
        return;
    }
    ++moves_.faults;
    if (leaf.was_on_device) ++moves_.refaults;
    if (leaf.was_evicted) ++moves_.refaults_evicted;
    bring(number, writes);
    fetch_neighbours(
        number, [](const Leaf& other) { return other.on_device; },
        [&](std::uint64_t other) {
            const auto found = leaves_.find(other);
            const bool stays = found != leaves_.end() && (found->second.is_mapped || found->second.prefers_host);
            if (!stays) bring(other, false);
        });
}

void Residency::touch_on_host(std::uint64_t address, bool writes, std::uint64_t pages) {
    const std::uint64_t number = address / kLeafBytes;
    if (bytes_of(number) == 0) return;
    Leaf& leaf = leaves_[number];
    if (leaf.on_host) {
        if (!writes || !leaf.on_device) return;
        // Both had a copy to read from: each page's first write is a fault of its own.
        moves_.host_faults += pages;
        return leave_device(number, leaf);
    }
    if (!leaf.on_device) {  // the first touch
        leaf.on_host = true;
        return;
    }
    ++moves_.host_faults;
    bring_back(number, writes);
    fetch_neighbours(
        number, [](const Leaf& other) { return other.on_host; },
        [&](std::uint64_t other) { bring_back(other, false); });
}

void Residency::copy(std::uint64_t address, std::uint64_t bytes, bool writes) {
    if (bytes == 0) return;
    for (std::uint64_t number = address / kLeafBytes; number <= (address + bytes - 1) / kLeafBytes; ++number)
        touch_on_device(number * kLeafBytes, writes);
}

void Residency::copy_by_host(std::uint64_t address, std::uint64_t bytes, bool writes) {
    if (bytes == 0) return;
    for (std::uint64_t number = address / kLeafBytes; number <= (address + bytes - 1) / kLeafBytes; ++number)
        touch_on_host(number * kLeafBytes, writes);
}

std::uint64_t Residency::prefetch(std::uint64_t address, std::uint64_t bytes, bool to_device) {
    if (bytes == 0) return 0;
    const std::uint64_t before = to_device ? moves_.to_device_bytes : moves_.to_host_bytes;
    for (std::uint64_t number = address / kLeafBytes; number <= (address + bytes - 1) / kLeafBytes; ++number) {
        if (bytes_of(number) == 0) continue;
        const Leaf& leaf = leaves_[number];
        if (to_device) {
            if (leaf.on_device)
                use(number / kLeavesOfTree);
            else
                bring(number, false);
            continue;
        }
        bring_back(number, false);
    }
    const std::uint64_t moved = (to_device ? moves_.to_device_bytes : moves_.to_host_bytes) - before;
    (to_device ? moves_.prefetched_in_bytes : moves_.prefetched_back_bytes) += moved;
    return moved;
}

void Residency::advise(std::uint64_t address, std::uint64_t bytes, MemoryAdvice advice) {
    if (bytes == 0) return;
    for (std::uint64_t number = address / kLeafBytes; number <= (address + bytes - 1) / kLeafBytes; ++number) {
        if (bytes_of(number) == 0) continue;
        Leaf& leaf = leaves_[number];
        switch (advice) {
            case MemoryAdvice::kReadMostly: leaf.is_read_mostly = true; break;
            case MemoryAdvice::kNotReadMostly:
                leaf.is_read_mostly = false;
                if (leaf.on_host && leaf.on_device) leaf.on_host = false;
                break;
            case MemoryAdvice::kPreferHost: leaf.prefers_host = true; break;
            case MemoryAdvice::kPreferDevice:
            case MemoryAdvice::kNotPreferred: leaf.prefers_host = false; break;
            case MemoryAdvice::kAccessedByDevice: leaf.is_mapped = true; break;
            case MemoryAdvice::kNotAccessedByDevice: leaf.is_mapped = false; break;
        }
    }
}

bool Residency::is_read_mostly(std::uint64_t address) const {
    const auto leaf = leaves_.find(address / kLeafBytes);
    return leaf != leaves_.end() && leaf->second.is_read_mostly;
}

PageMoves Residency::take() {
    ++takes_;
    return std::exchange(moves_, {});
}

}  // namespace tilescope::models
