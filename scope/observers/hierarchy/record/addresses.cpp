#include "scope/observers/hierarchy/record/addresses.h"

#include <algorithm>
#include <utility>

#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {
namespace {

// geometry: as cudaMalloc lays allocations out
constexpr std::uint64_t kAllocationPiece = 512, kLargeAllocation = 1 << 20, kAllocationPage = 2 << 20;
// Beyond what all allocations together can take.
constexpr std::uint64_t kHeapPlace = std::uint64_t{1} << 46;  // numeric: a place of ours

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

void CacheAddresses::update(machine::Memory& memory) {
    const std::uint64_t version = memory.version();
    if (buffers_ && version == version_) return;
    version_ = version;
    heap_ = &memory.heap();
    std::vector<machine::Allocation> all = memory.all();
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    std::map<std::uint64_t, std::uint64_t> places;
    std::vector<BufferMap::Buffer> buffers;
    ranges_.clear();
    for (const machine::Allocation& allocation : all) {
        if (allocation.kind == machine::AllocationKind::kHeap) continue;
        const auto known = by_id_.find(allocation.id);
        std::uint64_t place = known != by_id_.end() ? known->second : 0;
        if (known == by_id_.end()) {
            place = rounded_up(end_, allocation.size >= kLargeAllocation ? kAllocationPage : kAllocationPiece);
            end_ = place + kAllocationPiece + allocation.size;
        }
        places[allocation.id] = place;
        // Where a line begins stays as it is.
        ranges_.push_back(
            {allocation.base, allocation.size, place + allocation.base % kAllocationPiece - allocation.base});
        const std::uint64_t first = place + allocation.base % kAllocationPiece, end = first + allocation.size;
        buffers.push_back({allocation, first >> kLineShift, (end + (1u << kLineShift) - 1) >> kLineShift});
    }
    by_id_ = std::move(places);
    buffers_ = std::make_shared<const BufferMap>(std::move(buffers));
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.from < b.from; });
}

std::vector<CacheAddresses::Piece> CacheAddresses::pieces(std::uint64_t address, std::uint64_t bytes) const {
    std::vector<Piece> found;
    for (const Range& range : ranges_) {
        const std::uint64_t from = std::max(address, range.from);
        const std::uint64_t end = std::min(address + bytes, range.from + range.bytes);
        if (from < end) found.push_back({from + range.shift, end - from});
    }
    return found;
}

CacheAddresses::Range CacheAddresses::find(std::uint64_t address) const {
    const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                         [](std::uint64_t value, const Range& range) { return value < range.from; });
    if (behind != ranges_.begin() && std::prev(behind)->holds(address)) return *std::prev(behind);
    // The heap comes into being when a kernel first asks it for memory.
    const auto [first, end] = heap_ ? heap_->range() : std::pair<std::uint64_t, std::uint64_t>{};
    if (address - first < end - first) return {first, end - first, kHeapPlace - first};
    return {address, 1, 0};
}

}  // namespace tilescope::observers
