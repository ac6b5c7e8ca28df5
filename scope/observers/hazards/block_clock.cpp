#include "scope/observers/hazards/block_clock.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {
namespace {

using machine::kWarpSize;

template <class Act>
void for_lanes(std::uint32_t lanes, Act act) {
    for (; lanes != 0; lanes &= lanes - 1) act(static_cast<unsigned>(std::countr_zero(lanes)));
}

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
        if ((record.deed == Deed::kRead || record.deed == Deed::kStrongRead) &&
            is_over(warp, lane, record, other_thread))
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

// Whether another block's read is known to be over.
bool BlockClock::is_over(unsigned warp, unsigned lane, const Record& read, unsigned other_thread) const {
    const Lanes* const lanes = warps_[warp].lanes.get();
    const auto is_in = [&](const Known& known) {
        return !known.empty() && (known.of(KnownKey::block(read.block)) > read.time ||
                                  known.of(KnownKey::warp(read.block, read.warp)) > read.time ||
                                  known.of(KnownKey::thread(read.block, other_thread)) > read.time);
    };
    return is_in(reads_over_) || (lanes != nullptr && is_in(lanes->lane[lane].reads_over));
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
void BlockClock::take_seen(unsigned warp, std::uint32_t lanes, bool wide) {
    Lanes* const state = warps_[warp].lanes.get();
    if (state == nullptr || !state->has_extra) return;
    for_lanes(lanes, [&](unsigned i) {
        Lane& lane = state->lane[i];
        for (unsigned scope = 0; scope < (wide ? 2 : 1); ++scope) {
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
    if (fence.order != machine::Order::kRelease) take_seen(warp, fence.mask, wide);
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

// What lanes that arrive at a barrier for some bring.
Known BlockClock::arrival_of(unsigned warp, std::uint32_t arriving) {
    WarpClock& clock = warps_[warp];
    ++clock.now;
    Known known = extra_;
    if (base_ > 1) known.add(KnownKey::block(number_), base_);
    if (clock.together > base_) known.add(KnownKey::warp(number_, warp), clock.together);
    if (arriving == clock.all) known.add(KnownKey::warp(number_, warp), clock.now);
    for_lanes(arriving, [&](unsigned i) {
        if (arriving != clock.all) known.add(KnownKey::thread(number_, warp * kWarpSize + i), clock.now);
        if (!clock.lanes) return;
        known.join(clock.lanes->lane[i].extra);
        if (clock.lanes->apart && arriving != clock.all)
            for (unsigned other = 0; other < kWarpSize; ++other)
                known.add(KnownKey::thread(number_, warp * kWarpSize + other), clock.lanes->known[i][other]);
    });
    return known;
}

// Whether a thread's present comes behind the moment at which others went on from a barrier.
bool BlockClock::is_behind(unsigned warp, unsigned lane, unsigned other_warp, const Waiting& other) const {
    const WarpClock& mine = warps_[warp];
    if (warp == other_warp) {
        if (other.lanes >> lane & 1 || other.time < mine.together) return true;
        if (mine.lanes && mine.lanes->apart) {
            bool is_known = false;
            for_lanes(other.lanes, [&](unsigned i) { is_known = is_known || other.time < mine.lanes->known[lane][i]; });
            if (is_known) return true;
        }
    }
    if (extra_of(warp, lane, KnownKey::warp(number_, other_warp)) > other.time) return true;
    bool is_known = false;
    for_lanes(other.lanes, [&](unsigned i) {
        is_known = is_known || extra_of(warp, lane, KnownKey::thread(number_, other_warp * kWarpSize + i)) > other.time;
    });
    return is_known;
}

std::optional<BlockClock::ByChance> BlockClock::chance_of(const Barrier& barrier, unsigned warp,
                                                          std::uint32_t arriving) const {
    if (barrier.passed.empty() || barrier.passed_base < base_) return std::nullopt;
    for (std::uint32_t left = arriving; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        // One whom it let pass, and who told of it since, is enough: the others had passed as well.
        if (std::any_of(barrier.passed.begin(), barrier.passed.end(),
                        [&](const auto& entry) { return is_behind(warp, lane, entry.first, entry.second); }))
            continue;
        const auto& [other_warp, other] = *barrier.passed.begin();
        return ByChance{lane, other_warp * kWarpSize + static_cast<unsigned>(std::countr_zero(other.lanes)), other.op};
    }
    return std::nullopt;
}

std::optional<BlockClock::ByChance> BlockClock::barrier(const machine::BarrierArrival& arrival) {
    Barrier& barrier = barriers_[arrival.barrier];
    const unsigned warp = arrival.warp();
    take_seen(warp, arrival.mask, true);
    const std::size_t all = warps_.size() * kWarpSize;
    if (arrival.is_counted && (has_arrivals_ || arrival.expected < all)) barrier.is_partial = true;
    if (!barrier.is_partial) return std::nullopt;
    const std::optional<ByChance> chance = chance_of(barrier, warp, arrival.mask);
    barrier.known.join(arrival_of(warp, arrival.mask));
    if (arrival.kind != machine::BarrierKind::kArrive) {
        barrier.waiting[warp].lanes |= arrival.mask;
        barrier.waiting[warp].op = arrival.op;
    }
    return chance;
}

bool BlockClock::barrier_passed(const machine::BarrierPassed& passed) {
    Barrier& barrier = barriers_[passed.barrier];
    if (!barrier.is_partial) {
        pass_all();
        return copying_ == 0;
    }
    has_lanes_ = true;
    for (auto& [warp, waiting] : barrier.waiting) {
        Lanes& lanes = lanes_of(warp);
        lanes.has_extra = true;
        for_lanes(waiting.lanes, [&](unsigned i) { lanes.lane[i].extra.join(barrier.known); });
        waiting.time = warps_[warp].now++;
    }
    Barrier next;
    next.passed = std::move(barrier.waiting);
    next.passed_base = base_;
    barrier = std::move(next);
    return false;
}

// Fences of all threads count for the block's others, behind a barrier.
void BlockClock::gather_fences() {
    for (unsigned warp = 0; warp < warps_.size(); ++warp) {
        Lanes* const lanes = warps_[warp].lanes.get();
        if (lanes == nullptr || !lanes->has_fences) continue;
        for (unsigned scope = 0; scope < 2; ++scope) {
            const FenceState first = lanes->lane[0].fence[scope];
            bool alike = first.time != 0;
            for_lanes(warps_[warp].all, [&](unsigned i) {
                alike = alike && lanes->lane[i].fence[scope].time == first.time &&
                        lanes->lane[i].fence[scope].extra.is_same(first.extra);
            });
            if (alike) {
                fenced_[scope].join(of_fence(warp, 0, first));
                fenced_[scope].add(KnownKey::warp(number_, warp), first.time);
            }
            for_lanes(warps_[warp].all, [&](unsigned i) {
                Lane& lane = lanes->lane[i];
                if (!alike && lane.fence[scope].time != 0) fenced_[scope].join(of_fence(warp, i, lane.fence[scope]));
                fenced_[scope].join(lane.passed[scope]);
                lane.fence[scope] = FenceState();
                lane.passed[scope].clear();
            });
        }
        lanes->has_fences = false;
    }
}

// All threads of the block have met.
void BlockClock::pass_all() {
    if (has_lanes_) {
        gather_fences();
        for (unsigned warp = 0; warp < warps_.size(); ++warp) {
            Lanes* const lanes = warps_[warp].lanes.get();
            if (lanes == nullptr || !lanes->has_extra) continue;
            for (Lane& lane : lanes->lane) {
                extra_.join(lane.extra);
                lane.extra.clear();
                reads_over_.join(lane.reads_over);
                lane.reads_over.clear();
            }
        }
    }
    std::uint32_t latest = base_, rounds = 0;
    for (const WarpClock& clock : warps_) {
        latest = std::max(latest, clock.now);
        rounds = std::max(rounds, clock.course.rounds);
        if (clock.is_split)
            for (const Course& course : *clock.courses) rounds = std::max(rounds, course.rounds);
    }
    base_ = latest + 1;
    for (WarpClock& clock : warps_) {
        clock.now = base_;
        clock.course = {rounds + 1, 0};
        clock.is_split = false;
    }
    if (copying_ == 0) copies_.clear();
}

void BlockClock::warp_barrier(const machine::WarpBarrier& event) {
    const unsigned warp = event.warp();
    WarpClock& clock = warps_[warp];
    take_seen(warp, event.mask, true);
    ++clock.now;
    if (event.mask == clock.all) {
        clock.together = clock.now;
    } else {
        Lanes& lanes = lanes_of(warp);
        has_lanes_ = lanes.apart = true;
        std::array<std::uint32_t, 32> known{};
        for_lanes(event.mask, [&](unsigned i) {
            for (unsigned other = 0; other < kWarpSize; ++other)
                known[other] = std::max(known[other], lanes.known[i][other]);
        });
        for_lanes(event.mask, [&](unsigned i) { known[i] = clock.now; });
        for_lanes(event.mask, [&](unsigned i) { lanes.known[i] = known; });
    }
    Lanes* const lanes = clock.lanes.get();
    if (lanes == nullptr || (!lanes->has_extra && !lanes->has_fences)) return;
    Known extra, over, passed[2];
    for_lanes(event.mask, [&](unsigned i) {
        extra.join(lanes->lane[i].extra);
        over.join(lanes->lane[i].reads_over);
        for (unsigned scope = 0; lanes->has_fences && scope < 2; ++scope) {
            passed[scope].join(lanes->lane[i].passed[scope]);
            passed[scope].join(of_fence(warp, i, lanes->lane[i].fence[scope]));
        }
    });
    for_lanes(event.mask, [&](unsigned i) {
        Lane& lane = lanes->lane[i];
        lane.extra = extra;
        lane.reads_over = over;
        for (unsigned scope = 0; lanes->has_fences && scope < 2; ++scope) {
            lane.passed[scope] = passed[scope];
            lane.fence[scope] = FenceState();
        }
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
