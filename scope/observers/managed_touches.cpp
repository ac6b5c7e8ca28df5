#include "scope/observers/managed_touches.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {

ManagedTouches::ManagedTouches(std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges, std::uint64_t leaf_bytes,
                               std::uint64_t blocks)
    : ranges_(std::move(ranges)), leaf_bytes_(leaf_bytes), blocks_(std::max<std::uint64_t>(blocks, 1)) {}

bool ManagedTouches::is_managed(std::uint64_t address) const {
    auto range = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                  [](std::uint64_t value, const auto& entry) { return value < entry.first; });
    return range != ranges_.begin() && address < (--range)->second;
}

void ManagedTouches::mark(std::uint64_t number, const machine::Access& access, std::uint64_t slice) {
    if (number != last_number_) {
        last_number_ = number;
        // A leaf belongs to one allocation, which may end within it.
        const std::uint64_t address = number * leaf_bytes_;
        last_ = is_managed(address) ? &leaves_[number] : nullptr;
    }
    if (last_ == nullptr) return;
    if (reads(access.kind)) last_->read |= slice;
    if (writes(access.kind)) last_->written |= slice;
}

void ManagedTouches::on_access(const machine::Access& access) {
    const std::uint64_t slice = std::uint64_t{1} << (access.block->number * kSlices / blocks_) % kSlices;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        mark(access.address(lane) / leaf_bytes_, access, slice);
    }
}

std::unique_ptr<machine::Observer> ManagedTouches::make_shard(const machine::Program&) const {
    return std::make_unique<ManagedTouches>(ranges_, leaf_bytes_, blocks_);
}

void ManagedTouches::merge(const Observer& other) {
    for (const auto& [number, leaf] : static_cast<const ManagedTouches&>(other).leaves_) {
        Leaf& own = leaves_[number];
        own.read |= leaf.read;
        own.written |= leaf.written;
    }
}

}  // namespace tilescope::observers
