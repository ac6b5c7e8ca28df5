#include "scope/machine/device_heap.h"

#include <iterator>

#include "scope/machine/memory.h"

namespace tilescope::machine {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{1} << 32;

}  // namespace

bool DeviceHeap::set_size(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (base_ != 0) return false;
    size_ = (bytes + kUnit - 1) / kUnit * kUnit;
    return true;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t address = allocate_locked(bytes);
    if (address == 0 && bytes != 0) has_failed_ = true;
    return address;
}

std::uint64_t DeviceHeap::full_size() {
    const std::lock_guard lock(mutex_);
    return has_failed_ ? size_ : 0;
}

std::uint64_t DeviceHeap::allocate_locked(std::uint64_t bytes) {
    if (bytes == 0 || bytes > size_) return 0;
    if (base_ == 0) {
        base_ = memory_.take_range(size_, kPiece);
        if (base_ == 0) return 0;
        free_.emplace(base_, size_);
    }
    // A unit before each block keeps neighbours apart: the byte behind a block is nobody's.
    const std::uint64_t taken = (bytes + kUnit - 1) / kUnit * kUnit + kUnit;
    for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
        const auto [at, room] = *hole;
        if (room < taken) continue;
        const std::uint64_t address = at + kUnit;
        if (!memory_.adopt(reinterpret_cast<void*>(address), bytes, AllocationKind::kHeap)) return 0;
        free_.erase(hole);
        if (room > taken) free_.emplace(at + taken, room - taken);
        used_.emplace(address, taken);
        return address;
    }
    return 0;
}

bool DeviceHeap::release(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto found = used_.find(address);
    if (found == used_.end()) return false;
    memory_.release(reinterpret_cast<void*>(address));
    give_back(address - kUnit, found->second);
    used_.erase(found);
    return true;
}

void DeviceHeap::clear() {
    const std::lock_guard lock(mutex_);
    for (const auto& [address, taken] : used_) memory_.release(reinterpret_cast<void*>(address));
    used_.clear();
    free_.clear();
    if (base_ != 0) memory_.give_back_range(base_, size_);
    base_ = 0;
    has_failed_ = false;
}

std::pair<std::uint64_t, std::uint64_t> DeviceHeap::range() {
    const std::lock_guard lock(mutex_);
    return base_ == 0 ? std::pair<std::uint64_t, std::uint64_t>{0, 0} : std::pair{base_, base_ + size_};
}

void DeviceHeap::give_back(std::uint64_t address, std::uint64_t bytes) {
    auto next = free_.lower_bound(address);
    if (next != free_.end() && next->first == address + bytes) {
        bytes += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == address) {
            before->second += bytes;
            return;
        }
    }
    free_.emplace(address, bytes);
}

}  // namespace tilescope::machine
