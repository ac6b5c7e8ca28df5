#include "scope/observers/hazards/block_clock.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {
namespace {

using machine::kWarpSize;

bool acquires(machine::Order order) {
    using machine::Order;
    return order == Order::kAcquire || order == Order::kAcquireRelease || order == Order::kSequential;
}
bool releases(machine::Order order) {
    using machine::Order;
    return order == Order::kRelease || order == Order::kAcquireRelease || order == Order::kSequential;
}

}  // namespace

BlockClock::BlockClock(std::uint64_t number, std::uint32_t threads, bool has_arrivals)
    : number_(number), has_arrivals_(has_arrivals) {
    warps_.resize((threads + kWarpSize - 1) / kWarpSize);
    for (std::size_t i = 0; i < warps_.size(); ++i) {
        const std::size_t left = threads - i * kWarpSize;
        warps_[i].all = left >= kWarpSize ? machine::kFullMask : (1u << left) - 1;
    }
}

std::uint32_t BlockClock::extra_of(unsigned warp, unsigned lane, std::uint64_t key) const {
    std::uint32_t time = extra_.empty() ? 0 : extra_.of(key);
    if (const Lanes* lanes = warps_[warp].lanes.get(); lanes != nullptr && !lanes->lane[lane].extra.empty())
        time = std::max(time, lanes->lane[lane].extra.of(key));
    return time;
}

bool BlockClock::knows(unsigned warp, unsigned lane, const Record& record, std::uint32_t number, unsigned other,
                       std::uint32_t place) const {
    std::uint32_t time = record.time;
    const bool is_own_block = record.block == number_;
    const bool is_self = is_own_block && record.warp == warp && other == lane;
    const unsigned other_thread = record.warp * kWarpSize + other;
    if (record.deed == Deed::kAsyncCopy && is_own_block) {
        const auto copy = copies_.find(number);
        if (copy != copies_.end()) {
            const CopyState& state = copy->second;
            if (state.arrived >> other & 1 &&
                extra_of(warp, lane, KnownKey::copies(number_, other_thread)) > state.arrived_at[other])
                return true;
            if (!(state.waited >> other & 1)) return false;
            time = state.waited_at[other];
        }
    }
    if (is_self) return true;
    const WarpClock& mine = warps_[warp];
    if (is_own_block) {
        if (time < base_) return true;
        if (record.warp == warp) {
            if (time < mine.together) return true;
            if (mine.lanes && mine.lanes->apart && time < mine.lanes->known[lane][other]) return true;
        }
        if (!mine.lanes && extra_.empty()) return false;
    } else {
        if ((record.deed == Deed::kRead || record.deed == Deed::kStrongRead) && is_over(warp, lane, record, other))
            return true;
        if (extra_.empty() && (!mine.lanes || mine.lanes->lane[lane].extra.empty())) return false;
    }
    // A counter, say, that the last block sets back by a plain write.
    const std::uint32_t own_lane = record.serial % kWarpSize == 0 ? other : 0;
    if (place != 0 && record.serial != 0 && extra_of(warp, lane, KnownKey::place(place)) > record.serial + own_lane)
        return true;
    return extra_of(warp, lane, KnownKey::block(record.block)) > time ||
           extra_of(warp, lane, KnownKey::warp(record.block, record.warp)) > time ||
           extra_of(warp, lane, KnownKey::thread(record.block, other_thread)) > time;
}

// Whether an access by lane `other` of its warp is among what is known.
bool BlockClock::is_known_to(const Known& known, const Record& record, unsigned other) {
    return !known.empty() && (known.of(KnownKey::block(record.block)) > record.time ||
                              known.of(KnownKey::warp(record.block, record.warp)) > record.time ||
                              known.of(KnownKey::thread(record.block, record.warp * kWarpSize + other)) > record.time);
}

// Whether another block's read is known to be over.
bool BlockClock::is_over(unsigned warp, unsigned lane, const Record& read, unsigned other) const {
    const Lanes* const lanes = warps_[warp].lanes.get();
    return is_known_to(reads_over_, read, other) ||
           (lanes != nullptr && is_known_to(lanes->lane[lane].reads_over, read, other));
}

std::uint32_t BlockClock::round_of_some(WarpClock& clock, std::uint32_t lanes, std::uint32_t op) {
    if (!clock.courses) clock.courses = std::make_unique<std::array<Course, 32>>();
    if (!clock.is_split) clock.courses->fill(clock.course);
    clock.is_split = true;
    for_lanes(lanes, [&](unsigned i) {
        Course& course = (*clock.courses)[i];
        if (op <= course.last_op) ++course.rounds;
        course.last_op = op;
    });
    return (*clock.courses)[static_cast<unsigned>(std::countr_zero(lanes))].rounds;
}

// All that a thread knows, its own accesses so far included.
Known BlockClock::known_by(unsigned warp, unsigned lane) const {
    const WarpClock& clock = warps_[warp];
    FenceState now{clock.now, base_, clock.together, {}};
    if (clock.lanes) now.extra = clock.lanes->lane[lane].extra;
    now.extra.join(extra_);
    if (clock.lanes && clock.lanes->apart)
        for (unsigned other = 0; other < kWarpSize; ++other)
            now.extra.add(KnownKey::thread(number_, warp * kWarpSize + other), clock.lanes->known[lane][other]);
    return of_fence(warp, lane, now);
}

Known BlockClock::of_fence(unsigned warp, unsigned lane, const FenceState& fence) const {
    Known known = fence.extra;
    if (fence.time == 0) return known;
    if (fence.base > 1) known.add(KnownKey::block(number_), fence.base);
    if (fence.together > fence.base) known.add(KnownKey::warp(number_, warp), fence.together);
    known.add(KnownKey::thread(number_, warp * kWarpSize + lane), fence.time);
    return known;
}

Known BlockClock::fenced(unsigned warp, unsigned lane, unsigned scope) const {
    Known known = fenced_[scope];
    if (const Lanes* lanes = warps_[warp].lanes.get()) {
        known.join(lanes->lane[lane].passed[scope]);
        known.join(of_fence(warp, lane, lanes->lane[lane].fence[scope]));
    }
    return known;
}

void BlockClock::acquire(unsigned warp, unsigned lane, const Handed& handed, machine::Order order,
                         machine::Scope scope) {
    if (handed.empty()) return;
    const bool is_near = handed.local_block == number_ && !handed.local.empty();
    const bool is_far = is_wide(scope) && !handed.wide.empty();
    const bool is_read_order = is_wide(scope) && !handed.reads.empty();
    if (!is_near && !is_far && !is_read_order) return;
    Lanes& lanes = lanes_of(warp);
    has_lanes_ = lanes.has_extra = true;
    Lane& mine = lanes.lane[lane];
    if (is_read_order) mine.reads_over.join(handed.reads);
    if (is_near) (acquires(order) ? mine.extra : mine.seen[0]).join(handed.local);
    if (is_far) (acquires(order) ? mine.extra : mine.seen[1]).join(handed.wide);
    if (is_far && acquires(order)) acquired_.join(handed.wide);
}

void BlockClock::release(unsigned warp, unsigned lane, Handed& handed, machine::Order order, machine::Scope scope,
                         bool replaces, std::uint32_t place, std::uint32_t serial) {
    const bool is_release = releases(order);
    const Known near = is_release ? known_by(warp, lane) : fenced(warp, lane, 0);
    const Known far = !is_wide(scope) ? Known() : is_release ? near : fenced(warp, lane, 1);
    if (replaces) handed = Handed();
    if (!near.empty()) {
        if (handed.local_block != number_) handed.local.clear();
        handed.local_block = number_;
        handed.local.join(near);
        handed.local.add(KnownKey::place(place), serial + 1);
    }
    if (!far.empty()) {
        handed.wide.join(far);
        handed.wide.add(KnownKey::place(place), serial + 1);
    }
    if (!replaces || !is_wide(scope)) return;
    handed.reads = known_by(warp, lane);
    handed.reads.join(reads_over_);
    if (warps_[warp].lanes) handed.reads.join(warps_[warp].lanes->lane[lane].reads_over);
}

// What lanes have observed counts as known from here on.
void BlockClock::take_seen(unsigned warp, std::uint32_t lanes, bool wide, bool by_fence) {
    Lanes* const state = warps_[warp].lanes.get();
    if (state == nullptr || !state->has_extra) return;
    for_lanes(lanes, [&](unsigned i) {
        Lane& lane = state->lane[i];
        for (unsigned scope = 0; scope < (wide ? 2 : 1); ++scope) {
            if (scope == 1 && !lane.seen[1].empty()) (by_fence ? acquired_ : announced_).join(lane.seen[1]);
            lane.extra.join(lane.seen[scope]);
            lane.seen[scope].clear();
        }
    });
}

void BlockClock::fence(const machine::Fence& fence) {
    if (fence.kind != machine::FenceKind::kMemory) return;
    const unsigned warp = fence.warp();
    const bool wide = is_wide(fence.scope);
    Lanes& lanes = lanes_of(warp);
    has_lanes_ = true;
    if (fence.order != machine::Order::kRelease) {
        take_seen(warp, fence.mask, wide, true);
        if (wide) acquired_.join(announced_), announced_.clear();
    }
    if (fence.order == machine::Order::kAcquire) return;
    lanes.has_fences = true;
    WarpClock& clock = warps_[warp];
    ++clock.now;
    for_lanes(fence.mask, [&](unsigned i) {
        FenceState state{clock.now, base_, clock.together, lanes.lane[i].extra};
        state.extra.join(extra_);
        if (lanes.apart)
            for (unsigned other = 0; other < kWarpSize; ++other)
                state.extra.add(KnownKey::thread(number_, warp * kWarpSize + other), lanes.known[i][other]);
        if (wide) lanes.lane[i].fence[1] = state;
        lanes.lane[i].fence[0] = std::move(state);
    });
}

std::vector<BlockClock::EarlyUse> BlockClock::barrier_object(const machine::BarrierObjectUse& use) {
    using machine::BarrierObjectKind;
    const unsigned warp = use.warp();
    if (use.kind == BarrierObjectKind::kInit || use.kind == BarrierObjectKind::kInvalidate) {
        for_lanes(use.mask, [&](unsigned i) {
            Object& object = objects_[use.addresses[i]];
            object = Object();
            if (use.kind == BarrierObjectKind::kInvalidate) return;
            object.made.block = number_;
            object.made.op = use.op;
            object.made.time = warps_[warp].now;
            object.made.warp = static_cast<std::uint8_t>(warp);
            object.made.deed = Deed::kWrite;
            object.made_by = i;
        });
        return {};
    }
    std::vector<EarlyUse> early;
    for_lanes(use.mask, [&](unsigned i) {
        const Object& object = objects_[use.addresses[i]];
        if (object.made.deed == Deed::kNone || knows(warp, i, object.made, 0, object.made_by, 0)) return;
        early.push_back({i, object.made.warp * kWarpSize + object.made_by, object.made.op, use.addresses[i]});
    });
    Lanes& lanes = lanes_of(warp);
    has_lanes_ = true;
    WarpClock& clock = warps_[warp];
    const bool arrives = use.kind == BarrierObjectKind::kArrive || use.kind == BarrierObjectKind::kCopiesArrive;
    if (arrives) ++clock.now;
    for_lanes(use.mask, [&](unsigned i) {
        Object& object = objects_[use.addresses[i]];
        if (use.kind == BarrierObjectKind::kWaitPassed) {
            lanes.has_extra = true;
            (acquires(use.order) ? lanes.lane[i].extra : lanes.lane[i].seen[0]).join(object.over);
            return;
        }
        if (use.kind == BarrierObjectKind::kArrive) {
            object.arriving.join(releases(use.order) ? known_by(warp, i) : fenced(warp, i, 0));
        } else if (use.kind == BarrierObjectKind::kCopiesArrive) {
            Lane& lane = lanes.lane[i];
            for (; lane.arrived < lane.copies.size(); ++lane.arrived) {
                CopyState& state = copies_[lane.copies[lane.arrived].record];
                if (state.arrived >> i & 1) continue;
                state.arrived |= 1u << i;
                state.arrived_at[i] = clock.now - 1;
            }
            object.arriving.add(KnownKey::copies(number_, warp * kWarpSize + i), clock.now);
        }
        if (use.completes >> i & 1) {
            object.over.join(object.arriving);
            object.arriving.clear();
        }
    });
    return early;
}

void BlockClock::copy_begins(unsigned warp, std::uint32_t lanes, std::uint32_t record) {
    Lanes& state = lanes_of(warp);
    copies_[record];
    for_lanes(lanes, [&](unsigned i) { state.lane[i].copies.push_back({record, state.lane[i].groups, false}); });
    copying_ += static_cast<unsigned>(std::popcount(lanes));
}

bool BlockClock::is_uncommitted(unsigned warp, unsigned lane) const {
    if (!warps_[warp].lanes) return false;
    const Lane& state = warps_[warp].lanes->lane[lane];
    return std::any_of(state.copies.begin(), state.copies.end(),
                       [&](const Copy& copy) { return copy.group == state.groups && copy.is_waited_for; });
}

void BlockClock::copy_group(const machine::CopyGroup& group) {
    const unsigned warp = group.warp();
    Lanes& lanes = lanes_of(warp);
    if (group.kind == machine::CopyGroupKind::kCommit) {
        for_lanes(group.mask, [&](unsigned i) { ++lanes.lane[i].groups; });
        return;
    }
    const std::uint32_t now = warps_[warp].now;
    for_lanes(group.mask, [&](unsigned i) {
        Lane& lane = lanes.lane[i];
        const bool all = group.kind == machine::CopyGroupKind::kWaitAll;
        const auto is_over = [&](const Copy& copy) {
            return all || (copy.group < lane.groups && lane.groups - copy.group > group.pending);
        };
        for (const Copy& copy : lane.copies) {
            if (!is_over(copy)) continue;
            CopyState& state = copies_[copy.record];
            state.waited |= 1u << i;
            state.waited_at[i] = now;
            --copying_;
        }
        std::erase_if(lane.copies, is_over);
        for (Copy& copy : lane.copies) copy.is_waited_for = true;
        lane.arrived = 0;
    });
}

}  // namespace tilescope::observers
