#include "scope/observers/hazards/overlapping_copies.h"

#include <algorithm>
#include <optional>

namespace tilescope::observers {
namespace {

using machine::CopyEvent;
using machine::RowsExtent;

// The rows of one side in the order of the copy, which is that of their addresses.
class RowWalk {
public:
    RowWalk(const machine::Rows& rows, const RowsExtent& extent) : rows_(rows), extent_(extent) {}

    std::uint64_t count() const { return extent_.rows * extent_.slices; }
    std::uint64_t begin(std::uint64_t row) const {
        return rows_.address + row / extent_.rows * rows_.slice + row % extent_.rows * rows_.pitch;
    }
    std::uint64_t end(std::uint64_t row) const { return begin(row) + extent_.width; }

private:
    const machine::Rows& rows_;
    const RowsExtent& extent_;
};

}  // namespace

CopyOverlap overlap_of(const CopyEvent& copy) {
    CopyOverlap overlap;
    if (copy.extent.bytes() == 0) return overlap;
    const RowWalk source(copy.source, copy.extent), target(copy.target, copy.extent);
    const std::uint64_t count = source.count();
    if (source.begin(0) >= target.end(count - 1) || target.begin(0) >= source.end(count - 1)) return overlap;
    for (std::uint64_t from = 0, to = 0; from < count && to < count;) {
        const std::uint64_t begin = std::max(source.begin(from), target.begin(to));
        const std::uint64_t end = std::min(source.end(from), target.end(to));
        if (begin < end) {
            if (overlap.bytes == 0) overlap.first = begin;
            overlap.bytes += end - begin;
        }
        ++(source.end(from) < target.end(to) ? from : to);
    }
    return overlap;
}

void OverlappingCopies::on_copy(const CopyEvent& event) {
    const CopyOverlap overlap = overlap_of(event);
    if (overlap.bytes == 0) return;
    const std::optional<machine::Allocation> allocation = memory_.find(overlap.first);
    if (!allocation) return;
    const machine::Rows &source = event.source, &target = event.target;
    OverlappingCopy copy;
    copy.site = site_ ? site_() : 0;
    copy.issue = event.issue;
    copy.bytes = event.extent.bytes();
    copy.shared = overlap.bytes;
    copy.distance = static_cast<std::int64_t>(target.address - source.address);
    copy.is_onto_itself = copy.distance == 0 && (event.extent.rows == 1 || source.pitch == target.pitch) &&
                          (event.extent.slices == 1 || source.slice == target.slice);
    copy.allocation = *allocation;
    copy.offset = overlap.first - allocation->base;
    const std::lock_guard lock(mutex_);
    if (!known_.emplace(copy.site, copy.is_onto_itself).second) return;
    found_.push_back(copy);
    has_news_.store(true, std::memory_order_release);
}

std::vector<OverlappingCopy> OverlappingCopies::take() {
    const std::lock_guard lock(mutex_);
    has_news_.store(false, std::memory_order_release);
    return std::exchange(found_, {});
}

}  // namespace tilescope::observers
