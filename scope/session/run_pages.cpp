#include "scope/session/run_pages.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "scope/machine/host_touch.h"
#include "scope/observers/managed_touches.h"

namespace tilescope {
namespace {

using machine::AllocationKind;
using models::kLeafBytes;
using models::MemoryAdvice;
using observers::ManagedTouches;

constexpr std::uint64_t kPageBytes = 4096, kPagesOfLeaf = kLeafBytes / kPageBytes;

void add(PageMoves& to, const PageMoves& moves) {
    to.faults += moves.faults;
    to.refaults += moves.refaults;
    to.refaults_evicted += moves.refaults_evicted;
    to.host_faults += moves.host_faults;
    to.to_device_bytes += moves.to_device_bytes;
    to.to_host_bytes += moves.to_host_bytes;
    to.prefetched_in_bytes += moves.prefetched_in_bytes;
    to.prefetched_back_bytes += moves.prefetched_back_bytes;
    to.evicted_bytes += moves.evicted_bytes;
    to.mapped_bytes += moves.mapped_bytes;
    to.device_stall_microseconds += moves.device_stall_microseconds;
    to.host_stall_microseconds += moves.host_stall_microseconds;
}

MemoryAdvice advice_of(const machine::AdviceEvent& event) {
    switch (event.kind) {
        case machine::AdviceKind::kReadMostly:
            return event.is_set ? MemoryAdvice::kReadMostly : MemoryAdvice::kNotReadMostly;
        case machine::AdviceKind::kPreferred:
            if (!event.is_set) return MemoryAdvice::kNotPreferred;
            return event.is_device ? MemoryAdvice::kPreferDevice : MemoryAdvice::kPreferHost;
        case machine::AdviceKind::kAccessedBy: break;
    }
    return event.is_set ? MemoryAdvice::kAccessedByDevice : MemoryAdvice::kNotAccessedByDevice;
}

// Enough to see that the host changed it.
std::uint64_t sum_of(std::uint64_t address, std::uint64_t bytes) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(address), bytes});
}

}  // namespace

RunPages::RunPages(const machine::Memory& memory, RunWork& work, bool is_wanted)
    : memory_(memory), work_(work), is_wanted_(is_wanted), residency_(memory.capacity()) {
    report_.room_bytes = memory.capacity();
}

// What cudaMalloc took is no room for pages.
void RunPages::note_room() {
    if (!is_wanted_) return;
    const std::uint64_t used = memory_.in_use(), all = memory_.capacity();
    const std::uint64_t room = all - std::min(all, used);
    residency_.set_capacity(room);
    report_.room_bytes = std::min(report_.room_bytes, room);
}

void RunPages::on_allocate(const machine::AllocationEvent& event) {
    const machine::Allocation& allocation = event.allocation;
    if (allocation.kind == AllocationKind::kDevice || allocation.kind == AllocationKind::kModule) note_room();
    if (allocation.kind != AllocationKind::kManaged || !is_wanted_ || allocation.size == 0) return;
    if (!allocation.is_followed) {
        report_.unseen_bytes += allocation.size;
        has_managed_ = true;
        return;
    }
    if (!machine::tells_touches()) {
        is_wanted_ = false;
        return;
    }
    has_managed_ = true;
    ranges_[allocation.base] = allocation.size;
    residency_.add(allocation.base, allocation.size);
    managed_ += allocation.size;
    report_.managed_bytes = std::max(report_.managed_bytes, managed_);
}

// The last look at what the host has touched of it.
void RunPages::on_release_begin(const machine::AllocationEvent& event) {
    if (follows() && ranges_.count(event.allocation.base) != 0) see_host();
}

void RunPages::on_release(const machine::AllocationEvent& event) {
    if (event.allocation.kind == AllocationKind::kDevice) note_room();
    if (ranges_.erase(event.allocation.base) == 0) return;
    residency_.remove(event.allocation.base);
    managed_ -= event.allocation.size;
}

template <class Touches>
double RunPages::stalled(Touches&& touches) {
    const PageMoves before = residency_.moves();
    touches();
    const PageMoves& after = residency_.moves();
    const std::uint64_t faults = after.faults - before.faults + after.host_faults - before.host_faults;
    const std::uint64_t moved =
        after.to_device_bytes - before.to_device_bytes + after.to_host_bytes - before.to_host_bytes;
    return work_.fault_microseconds(faults, moved) + work_.link_microseconds(after.mapped_bytes - before.mapped_bytes);
}

// What the host has touched since forget_host().
void RunPages::see_host() {
    const double stall = stalled([this] {
        for (const auto& [base, size] : ranges_) {
            const std::vector<bool> touched = machine::touches(base, size, kPageBytes);
            for (std::uint64_t from = 0; from < touched.size(); from += kPagesOfLeaf) {
                const auto first = touched.begin() + static_cast<std::ptrdiff_t>(from);
                const std::uint64_t pages = std::min<std::uint64_t>(kPagesOfLeaf, touched.size() - from);
                const auto seen =
                    static_cast<std::uint64_t>(std::count(first, first + static_cast<std::ptrdiff_t>(pages), true));
                if (seen == 0) continue;
                const std::uint64_t leaf = base + from * kPageBytes;
                const auto sum = sums_.find(leaf);
                const bool wrote = !residency_.is_read_mostly(leaf) || sum == sums_.end() ||
                                   sum->second != sum_of(leaf, std::min(kLeafBytes, base + size - leaf));
                residency_.touch_on_host(leaf, wrote, seen);
            }
        }
    });
    if (stall == 0) return;
    host_stall_ += stall;
    work_.add_host_stall(stall);
}

void RunPages::forget_host() {
    for (const auto& [base, size] : ranges_) {
        for (std::uint64_t leaf = base; leaf < base + size; leaf += kLeafBytes)
            if (residency_.is_read_mostly(leaf)) sums_[leaf] = sum_of(leaf, std::min(kLeafBytes, base + size - leaf));
        machine::forget_touches(base, size);
    }
}

void RunPages::touch(const machine::Rows& rows, const machine::RowsExtent& extent, bool writes, bool by_host) {
    for (std::uint64_t z = 0; z < extent.slices; ++z) {
        for (std::uint64_t y = 0; y < extent.rows; ++y) {
            const std::uint64_t row = rows.address + z * rows.slice + y * rows.pitch;
            if (by_host)
                residency_.copy_by_host(row, extent.width, writes);
            else
                residency_.copy(row, extent.width, writes);
        }
    }
}

void RunPages::on_set(const machine::SetEvent& event) {
    if (!follows()) return;
    see_host();
    stall(stalled([&] { touch(event.target, event.extent, true, false); }));
}

// The device does it, unless the call says that both sides are the host's.
void RunPages::on_copy(const machine::CopyEvent& event) {
    if (!follows()) return;
    see_host();
    const bool by_host = event.kind == machine::CopyKind::kHostToHost;
    stall(stalled([&] {
        touch(event.source, event.extent, false, by_host);
        touch(event.target, event.extent, true, by_host);
    }));
}

void RunPages::stall(double microseconds) {
    device_stall_ += microseconds;
    work_.add_stall(microseconds);
}

// What the copy itself touched is none of the host's doing.
void RunPages::on_changed() {
    if (follows()) forget_host();
}

void RunPages::on_prefetch(const machine::PrefetchEvent& event) {
    if (!follows()) return;
    see_host();
    const std::uint64_t bytes = residency_.prefetch(event.address, event.bytes, event.to_device);
    forget_host();
    work_.add_prefetch(event.issue, event.to_device, bytes);
}

void RunPages::on_advice(const machine::AdviceEvent& event) {
    if (!follows()) return;
    see_host();
    residency_.advise(event.address, event.bytes, advice_of(event));
    forget_host();
}

std::unique_ptr<machine::Observer> RunPages::on_launch_begin(const machine::LaunchEvent& event) {
    if (!follows()) return nullptr;
    see_host();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const auto& [base, size] : ranges_) ranges.emplace_back(base, base + size);
    const std::uint64_t blocks = std::uint64_t{event.grid[0]} * event.grid[1] * event.grid[2];
    return std::make_unique<ManagedTouches>(std::move(ranges), kLeafBytes, blocks);
}

void RunPages::on_launch_end(const machine::LaunchEvent& event, const machine::Observer* seen) {
    if (seen == nullptr) return;
    const auto& leaves = static_cast<const ManagedTouches*>(seen)->leaves();
    stall(stalled([&] {
        for (unsigned slice = 0; slice < ManagedTouches::kSlices; ++slice) {
            const std::uint64_t bit = std::uint64_t{1} << slice;
            for (const auto& [number, leaf] : leaves)
                if (((leaf.read | leaf.written) & bit) != 0)
                    residency_.touch_on_device(number * kLeafBytes, (leaf.written & bit) != 0);
        }
    }));
    forget_host();
    const PageMoves moves = take_moves();
    add(report_.total, moves);
    ++launches_;
    if (moves == PageMoves{}) return;
    if (report_.launches.size() < kMaxLaunches)
        report_.launches.push_back({static_cast<std::uint32_t>(event.index), moves});
    else
        ++report_.left_out;
}

PageMoves RunPages::take_moves() {
    PageMoves moves = residency_.take();
    moves.device_stall_microseconds = std::exchange(device_stall_, 0);
    moves.host_stall_microseconds = std::exchange(host_stall_, 0);
    return moves;
}

void RunPages::tell(Profile& profile, bool at_end) {
    constexpr std::uint64_t kEachTold = 256, kSomeTold = 64;
    if (!has_managed_ || (!at_end && launches_ > kEachTold && launches_ % kSomeTold != 0)) return;
    if (at_end && follows()) see_host();
    add(report_.total, take_moves());
    report_.touched_bytes = residency_.touched_by_device();
    report_.resident_bytes = residency_.peak_resident();
    report_.trouble = models::judge_pages(report_);
    profile.pages = report_;
}

}  // namespace tilescope
