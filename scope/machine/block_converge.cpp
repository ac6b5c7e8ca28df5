// Meeting points of a warp's lanes: shfl.sync, vote.sync, bar.warp.sync and their like.
//
// Lanes that wait at the same kind of instruction with the same member mask are a group. A group is whole when all
// living lanes that its mask names are in it; then the instruction runs for it, whatever the other groups of the warp
// do. So lanes may each name a group of their own in one and the same execution, come in different trips of a loop, or
// stand at different places. Groups that are whole at one time and stand at one place go on together. A lane that has
// ended is waited for no more; one that lives is waited for, however long.
// All this is what an H200 does (driver 580), found by having lanes end, wait and call in all these ways.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "scope/machine/block.h"
#include "scope/machine/follower.h"

namespace tilescope::machine {

// For the lanes of exec, which have all come.
void BlockRunner::run_together(Warp& warp, const Op& op) {
    const OpFn run = op.guarded ? op.guarded : op.fn;
    if (worker_.follower)
        worker_.follower->meet(warp, op, run);
    else
        run(warp, op);
}

// What must be alike for lanes at different places to meet: the operation with all its modifiers.
OpFn BlockRunner::kind_of(const Op& op) const {
    if (op.guarded) return op.guarded;
    return program_.plain.empty() ? op.fn : program_.plain[op.index];
}

bool BlockRunner::can_meet(const Fragment& one, const Fragment& other) const {
    return one.state == FragmentState::kAtConverge && other.state == FragmentState::kAtConverge &&
           kind_of(*program_.blocks[one.block].end.op) == kind_of(*program_.blocks[other.block].end.op);
}

// The member mask of the lowest of some lanes of a waiting fragment.
std::uint32_t BlockRunner::named_by(WarpState& state, const Fragment& waiting, std::uint32_t lanes) {
    prepare(state, waiting);
    return state.view.source<std::uint32_t>(program_.blocks[waiting.block].end.member_mask)[std::countr_zero(lanes)];
}

// Lanes of a fragment whose member mask is `members`.
std::uint32_t BlockRunner::lanes_naming(WarpState& state, const Fragment& fragment, std::uint32_t members) {
    prepare(state, fragment);
    const auto* masks = state.view.source<std::uint32_t>(program_.blocks[fragment.block].end.member_mask);
    std::uint32_t same = 0;
    for (unsigned i = 0; i < kWarpSize; ++i) same |= static_cast<std::uint32_t>(masks[i] == members) << i;
    return fragment.mask & same;
}

std::uint32_t BlockRunner::group_of(WarpState& state, const Fragment& fragment, std::uint32_t members) {
    std::uint32_t group = 0;
    for (const Fragment& other : state.lanes.fragments())
        if (can_meet(fragment, other)) group |= lanes_naming(state, other, members);
    return group;
}

bool BlockRunner::converge(WarpState& state, Fragment& fragment, const BasicBlock& code) {
    Warp& warp = state.view;
    const Op& op = *code.end.op;
    const std::uint32_t lanes = guard_lanes(state, fragment, &op);
    if (op.guarded) worker_.guarded_lanes[op.site] += static_cast<unsigned>(std::popcount(lanes));
    if (lanes == 0) {
        fragment.block = code.end.next;
        return true;
    }
    const std::uint32_t members = warp.source<std::uint32_t>(code.end.member_mask)[std::countr_zero(lanes)];
    const bool all_there = (members & warp.live) == lanes || lanes == warp.live;
    const bool broadcast = code.end.member_mask.bank() == static_cast<unsigned>(Bank::kConstants);
    if (code.end.wants_group) check_group(state, op);
    if (all_there && !code.end.meets_group && (broadcast || (lanes & ~lanes_naming(state, fragment, members)) == 0)) {
        // Nearly always: one mask, and nobody to wait for.
        if (code.end.wants_all && warp.live != kFullMask) note_ended(state, op, lanes);
        if (lanes & ~members) check_own_masks(state, fragment);
        if (worker_.audience.wants(Event::kWarpBarrier)) announce_group(state, op, members, lanes);
        warp.exec = lanes;
        run_together(warp, op);
        warp.exec = fragment.mask;
        fragment.block = code.end.next;
        return true;
    }
    if (lanes != fragment.mask) {
        // Lanes whose guard fails do not wait.
        part(state, fragment, fragment.mask & ~lanes, code.end.next, fragment.join);
        fragment.mask = lanes;
    }
    fragment.state = FragmentState::kAtConverge;
    fragment.awaited = warp.live;
    check_own_masks(state, fragment);
    state.lanes.fragments().push_back(fragment);
    fragment.mask = 0;  // it lies among the warp's fragments now
    complete_groups(state);
    return false;
}

// PTX leaves open what comes of a lane that its own mask does not name. An H200 lets it pass while the whole warp is
// together under one mask, and ends the kernel otherwise.
void BlockRunner::check_own_masks(WarpState& state, const Fragment& fragment) {
    prepare(state, fragment);
    const Op& op = *program_.blocks[fragment.block].end.op;
    const auto* masks = state.view.source<std::uint32_t>(program_.blocks[fragment.block].end.member_mask);
    const std::uint32_t lanes = guard_lanes(state, fragment, &op);
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(lanes & ~masks[i] & 1u << i)) continue;
        if (fragment.state == FragmentState::kAtConverge)
            raise(state.view, op, FaultKind::kIllegalInstruction, "", i,
                  "lane " + std::to_string(i) + " is not named in its own member mask");
        if (Finding* finding = worker_.findings.add(FindingKind::kUnnamedLane, op.index)) {
            std::copy_n(worker_.block.index, 3, finding->block);
            finding->lane = state.first_thread + i;
        }
        return;
    }
}

// Runs every group that is whole. True when there was one.
bool BlockRunner::complete_groups(WarpState& state) {
    bool any = false;
    std::vector<Fragment>& fragments = state.lanes.fragments();
    for (std::size_t i = 0; i < fragments.size(); ++i) {
        const Fragment waiting = fragments[i];
        if (waiting.state != FragmentState::kAtConverge) continue;
        for (std::uint32_t left = waiting.mask; left != 0;) {
            const std::uint32_t members = named_by(state, waiting, left);
            const std::uint32_t group = group_of(state, waiting, members);
            left &= ~group;
            if (members & state.view.live & ~group) continue;
            if (program_.blocks[waiting.block].end.meets_group) {
                state.at_group = group;
                continue;
            }
            pass(state, waiting, members, group);
            any = true;
        }
    }
    if (state.at_group != 0) meet_group(state);
    // Groups that came together go on together, whatever mask each named.
    if (any) state.lanes.gather();
    return any;
}

// A group of lanes, all of which have come: what is noted of it, and its instruction.
void BlockRunner::pass(WarpState& state, const Fragment& waiting, std::uint32_t members, std::uint32_t group) {
    const Terminator& end = program_.blocks[waiting.block].end;
    if (end.wants_all)
        note_ended(state, *end.op, group);
    else if (members & waiting.awaited & ~group)
        note_missing(state, waiting, members, group);
    if (worker_.audience.wants(Event::kWarpBarrier)) announce_group(state, *end.op, members, group);
    run_group(state, waiting, group);
}

void BlockRunner::announce_group(const WarpState& state, const Op& op, std::uint32_t members, std::uint32_t group) {
    WarpBarrier barrier;
    fill(barrier, state.view, op);
    barrier.mask = group;
    barrier.members = members;
    barrier.order = program_.facts[op.index].order;
    barrier.scope = program_.facts[op.index].scope;
    worker_.audience.tell(barrier);
}

// Executes the instruction for the lanes of a group, `waiting` being one of its fragments, and lets them go.
void BlockRunner::run_group(WarpState& state, const Fragment& waiting, std::uint32_t group) {
    if (group & ~waiting.mask) {
        run_apart(state, waiting, group);
    } else {
        prepare(state, waiting);
        const Op& op = *program_.blocks[waiting.block].end.op;
        state.view.exec = group;
        run_together(state.view, op);
    }
    std::vector<Fragment>& fragments = state.lanes.fragments();
    const std::size_t count = fragments.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t done = fragments[i].mask & group;
        if (done == 0 || !can_meet(waiting, fragments[i])) continue;
        Fragment released = fragments[i];
        released.mask = done;
        released.state = FragmentState::kReady;
        released.block = program_.blocks[released.block].end.next;
        fragments[i].mask &= ~done;
        if (fragments[i].mask == 0)
            fragments[i] = released;
        else
            fragments.push_back(released);
    }
}

// The same for lanes that came as several fragments: each reads its operands where it stands.
void BlockRunner::run_apart(WarpState& state, const Fragment& waiting, std::uint32_t group) {
    struct Value {
        alignas(64) std::byte lanes[kWarpSize * sizeof(std::uint64_t)] = {};
        std::uint32_t predicates = 0;
    };
    const std::uint32_t count = program_.blocks[waiting.block].end.brought_count;
    std::vector<Value> values(count);
    std::vector<const std::byte*> pointers;
    pointers.reserve(count);
    for (const Value& value : values) pointers.push_back(value.lanes);
    // Fragments that can meet do the same with as many operands.
    const auto for_each_part = [&](auto act) {
        for (const Fragment& fragment : state.lanes.fragments()) {
            const std::uint32_t own = fragment.mask & group;
            if (own == 0 || !can_meet(waiting, fragment)) continue;
            prepare(state, fragment);
            const Terminator& end = program_.blocks[fragment.block].end;
            act(own, end, program_.brought.data() + end.first_brought);
        }
    };
    for_each_part([&](std::uint32_t own, const Terminator&, const Brought* brought) {
        for (std::uint32_t k = 0; k < count; ++k) {
            const unsigned bytes = brought[k].bytes;
            const std::uint32_t holds = state.view.predicate(brought[k].from);
            if (bytes == 0) values[k].predicates |= own & (brought[k].negated ? ~holds : holds);
            const std::byte* from = state.view.source<std::byte>(brought[k].from);
            for (unsigned i = 0; i < kWarpSize; ++i)
                if (own >> i & 1) std::memcpy(values[k].lanes + i * bytes, from + i * bytes, bytes);
        }
    });
    const Meeting meeting{group, pointers.data()};
    for_each_part([&](std::uint32_t own, const Terminator& end, const Brought* brought) {
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t as_written = brought[k].negated ? ~values[k].predicates : values[k].predicates;
            if (brought[k].bytes == 0) std::memcpy(values[k].lanes, &as_written, sizeof as_written);
        }
        state.view.meeting = &meeting;
        state.view.exec = own;
        (end.op->guarded ? end.op->guarded : end.op->fn)(state.view, *end.op);
        state.view.meeting = nullptr;
        if (worker_.follower) worker_.follower->forget(state.view);
    });
}

// Lanes that the block never had are missed by nobody, but for a product, of which they would hold a part.
void BlockRunner::note_ended(const WarpState& state, const Op& op, std::uint32_t lanes) {
    const std::uint32_t threads = threads_ - state.first_thread;
    const bool is_product = program_.facts[op.index].mix == Counter::kTensorInstructions;
    const std::uint32_t all = threads >= kWarpSize || is_product ? kFullMask : (1u << threads) - 1;
    if ((all & ~state.view.live) == 0) return;
    Finding* finding = worker_.findings.add(FindingKind::kEndedLanes, op.index);
    if (!finding) return;
    std::copy_n(worker_.block.index, 3, finding->block);
    finding->lane = state.first_thread + static_cast<unsigned>(std::countr_zero(lanes));
    finding->lanes = lanes;
    finding->missing = all & ~state.view.live;
}

void BlockRunner::note_missing(const WarpState& state, const Fragment& waiting, std::uint32_t members,
                               std::uint32_t group) {
    const Op& op = *program_.blocks[waiting.block].end.op;
    Finding* finding = worker_.findings.add(FindingKind::kMissingLanes, op.index);
    if (!finding) return;
    const std::uint32_t missing = members & waiting.awaited & ~group;
    std::copy_n(worker_.block.index, 3, finding->block);
    finding->lane = state.first_thread + static_cast<unsigned>(std::countr_zero(group));
    finding->lanes = group;
    finding->missing = missing;
}

}  // namespace tilescope::machine
