// What barriers of the block and of warps make of a block's clock: who knows whom behind them, and where it is chance
// who meets.
#include "scope/observers/hazards/block_clock.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {

using machine::kWarpSize;

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

}  // namespace tilescope::observers
