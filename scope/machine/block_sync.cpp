// Barriers of the block.
#include <bit>
#include <string>

#include "scope/machine/block.h"
#include "scope/machine/stepper.h"

namespace tilescope::machine {

bool BlockRunner::arrive_at_barrier(WarpState& state, Fragment& fragment, const BasicBlock& code) {
    const Op& op = *code.end.op;
    const auto& site = *static_cast<const BarrierSite*>(op.extra);
    const std::uint32_t lanes = guard_lanes(state, fragment, &op);
    if (lanes == 0) {
        fragment.block = code.end.next;
        return true;
    }
    if (lanes != fragment.mask) {
        // Lanes whose guard fails go on; they meet the others where the code says, if at all.
        part(state, fragment, fragment.mask & ~lanes, code.end.next, fragment.join);
        fragment.mask = lanes;
        prepare(state, fragment);
    }
    const auto lowest = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint32_t id = state.view.source<std::uint32_t>(site.id)[lowest];
    if (id >= 16)
        raise(state.view, op, FaultKind::kIllegalInstruction, "", lowest,
              "barrier " + std::to_string(id) + " does not exist: a block has barriers 0 to 15");
    Barrier& barrier = barriers_[id];
    barrier.active = true;
    const bool whole_warp = lanes == state.view.live;
    if (site.has_count) {
        const std::uint32_t count = state.view.source<std::uint32_t>(site.count)[lowest];
        if (count == 0 || count % kWarpSize != 0)
            raise(state.view, op, FaultKind::kIllegalInstruction, "", lowest,
                  "a barrier for " + std::to_string(count) + " threads: the count must be a multiple of 32");
        barrier.expected = count;
    }
    // A counted barrier counts warps whole, however few of their threads live.
    barrier.arrived += barrier.expected != 0 && whole_warp ? kWarpSize : static_cast<unsigned>(std::popcount(lanes));
    if (worker_.audience.wants(Event::kBarrierArrival)) announce_arrival(state, fragment, op, id);
    if (site.has_predicate) {
        std::uint32_t holds = state.view.predicate(site.predicate);
        if (site.predicate_negated) holds = ~holds;
        holds &= lanes;
        barrier.result.count += static_cast<unsigned>(std::popcount(holds));
        barrier.result.any |= holds != 0;
        barrier.result.all &= holds == lanes;
    }
    if (site.waits) {
        fragment.state = FragmentState::kAtBarrier;
        fragment.barrier = static_cast<std::uint8_t>(id);
        state.lanes.fragments().push_back(fragment);
    } else {
        Fragment on = fragment;
        on.block = code.end.next;
        state.lanes.fragments().push_back(on);
    }
    fragment.mask = 0;  // it lies among the warp's fragments now
    complete_barrier(id);
    return false;
}

void BlockRunner::announce_arrival(const WarpState& state, const Fragment& fragment, const Op& op, std::uint32_t id) {
    const auto& site = *static_cast<const BarrierSite*>(op.extra);
    const Barrier& barrier = barriers_[id];
    BarrierArrival arrival;
    fill(arrival, state.view, op);
    arrival.mask = fragment.mask;
    arrival.barrier = id;
    arrival.kind = site.has_predicate ? BarrierKind::kReduce : site.waits ? BarrierKind::kSync : BarrierKind::kArrive;
    arrival.is_counted = barrier.expected != 0;
    arrival.expected = arrival.is_counted ? barrier.expected : live_;
    worker_.audience.tell(arrival);
}

bool BlockRunner::complete_barrier(std::uint32_t id) {
    Barrier& barrier = barriers_[id];
    if (!barrier.active) return false;
    if (barrier.arrived < (barrier.expected != 0 ? barrier.expected : live_)) return false;
    for (WarpState& state : warps_)
        for (Fragment& fragment : state.lanes.fragments())
            if (fragment.state == FragmentState::kAtBarrier && fragment.barrier == id) {
                fragment.state = FragmentState::kPastBarrier;
                fragment.result = barrier.result;
            }
    if (worker_.audience.wants(Event::kBarrierPassed))
        worker_.audience.tell(BarrierPassed{&worker_.block, id, barrier.arrived});
    barrier = Barrier{};
    if (worker_.stepper) worker_.stepper->on_barrier(worker_);
    return true;
}

// Threads that exit may complete a barrier for the rest.
bool BlockRunner::complete_barriers() {
    bool any = false;
    for (std::uint32_t id = 0; id < 16; ++id) any |= complete_barrier(id);
    return any;
}

}  // namespace tilescope::machine
