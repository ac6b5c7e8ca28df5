// Calls, returns and exits.
#include <algorithm>
#include <bit>
#include <cstring>

#include "scope/machine/block.h"
#include "scope/machine/endless.h"
#include "scope/machine/follower.h"

namespace tilescope::machine {

namespace {

// Words of the lanes' stacks, interleaved by lane.
void copy_stack(Warp& warp, EndlessProof* proof, std::uint32_t caller, std::uint32_t callee, std::uint32_t bytes,
                bool results) {
    const std::uint32_t from = results ? callee : caller, to = results ? caller : callee;
    for (std::uint32_t word = 0; word < (bytes + 3) / 4; ++word)
        for (unsigned i = 0; i < kWarpSize; ++i) {
            if (!(warp.active >> i & 1)) continue;
            std::byte* target = warp.local + ((to / 4 + word) * kWarpSize + i) * 4;
            const std::byte* source = warp.local + ((from / 4 + word) * kWarpSize + i) * 4;
            std::memcpy(target, source, 4);
            if (proof) proof->copied(target, source, 4);
            if (warp.worker->follower) warp.worker->follower->copied(warp, target, source, 4, false);
        }
}

}  // namespace

// Copies arguments or results for the warp's active lanes.
void BlockRunner::copy_slots(Warp& warp, const Frames& frames, const std::vector<CallCopy>& copies, bool results) {
    const auto [caller_frame, callee_frame, caller_local, callee_local] = frames;
    std::byte* const base = frames_of(warp);
    for (const CallCopy& copy : copies) {
        if (copy.on_stack) {
            copy_stack(warp, proof_, caller_local + copy.caller, callee_local + copy.callee, copy.bytes, results);
            continue;
        }
        std::byte* callee = base + callee_frame + copy.callee;
        std::byte* to = results ? base + caller_frame + copy.caller : callee;
        const std::byte* from = callee;
        if (!results) {
            const bool in_frame = copy.from.bank() == static_cast<unsigned>(Bank::kRegisters);
            from = (in_frame ? base + caller_frame : warp.banks[copy.from.bank()]) + copy.from.offset();
        }
        if (copy.is_predicate) {
            std::uint32_t old, now;
            std::memcpy(&old, to, 4);
            std::memcpy(&now, from, 4);
            now = (old & ~warp.active) | (now & warp.active);
            std::memcpy(to, &now, 4);
            if (proof_) proof_->copied(to, from, 4);
            if (worker_.follower) worker_.follower->copied(warp, to, from, 4, true);
            continue;
        }
        for (unsigned i = 0; i < kWarpSize; ++i) {
            if (!(warp.active >> i & 1)) continue;
            std::memcpy(to + i * copy.bytes, from + i * copy.bytes, copy.bytes);
            if (proof_) proof_->copied(to + i * copy.bytes, from + i * copy.bytes, copy.bytes);
            if (worker_.follower)
                worker_.follower->copied(warp, to + i * copy.bytes, from + i * copy.bytes, copy.bytes, false);
        }
    }
}

bool BlockRunner::call(WarpState& state, Fragment& fragment, const BasicBlock& code) {
    const std::uint32_t lanes = guard_lanes(state, fragment, code.end.op);
    if (lanes == 0) {
        fragment.block = code.end.next;
        return true;
    }
    const CallSite& site = program_.call_sites[code.end.extra];
    if (lanes != fragment.mask) {
        // Lanes whose guard fails wait behind the call.
        const std::uint32_t join = join_for(state, fragment, code.end.next);
        part(state, fragment, fragment.mask & ~lanes, code.end.next, join);
        fragment.mask = lanes;
        fragment.join = join;
        prepare(state, fragment);
    }
    if (site.function != kNoBlock) {
        enter(state, fragment, code.end.extra, code);
        return true;
    }
    const auto* targets = state.view.source<std::uint64_t>(site.pointer);
    std::uint32_t left = fragment.mask, join = fragment.join;
    while (left != 0) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const std::uint64_t target = targets[lane];
        const auto named = program_.function_handles.find(target);
        if (named == program_.function_handles.end())
            raise(state.view, *code.end.op, FaultKind::kIllegalInstruction, "", lane,
                  worker_.memory->classify(target).kind == PlaceKind::kHost
                      ? "a call through a pointer to a function of the host program: take the function's address in "
                        "device code and copy it from there (cudaMemcpyFromSymbol)"
                      : "a call through a pointer that is no function of this call's type");
        const std::uint32_t function = named->second;
        const auto way = std::find_if(site.ways.begin(), site.ways.end(), [&](std::uint32_t candidate) {
            return program_.call_sites[candidate].function == function;
        });
        if (way == site.ways.end())
            raise(state.view, *code.end.op, FaultKind::kIllegalInstruction, "", lane,
                  "a call through a pointer to a function of another type: " + program_.functions[function].name);
        std::uint32_t same = 0;
        for (unsigned i = 0; i < kWarpSize; ++i)
            if ((left >> i & 1) && targets[i] == target) same |= 1u << i;
        left &= ~same;
        if (left == 0) {
            fragment.mask = same;
            fragment.join = join;
            prepare(state, fragment);
            enter(state, fragment, *way, code);
            return true;
        }
        if (join == fragment.join) join = join_for(state, fragment, code.end.next);
        Fragment other = fragment;
        other.mask = same;
        other.join = join;
        prepare(state, other);
        enter(state, other, *way, code);
        state.lanes.fragments().push_back(other);
    }
    return true;
}

// Enters the function of a direct call site.
void BlockRunner::enter(WarpState& state, Fragment& fragment, std::uint32_t site_index, const BasicBlock& code) {
    const CallSite& site = program_.call_sites[site_index];
    const Function& caller = program_.functions[fragment.function];
    const Function& callee = program_.functions[site.function];
    const std::uint64_t frame = std::uint64_t{fragment.frame} + caller.frame_bytes;
    const std::uint64_t local = std::uint64_t{fragment.local_frame} + caller.local_bytes;
    if (frame + callee.frame_bytes > register_bytes_ || local + callee.local_bytes > shape_.local_bytes)
        raise(state.view, *code.end.op, FaultKind::kStackOverflow, "local",
              static_cast<unsigned>(std::countr_zero(fragment.mask)),
              "the call of " + callee.name + " overflows the stack of " + std::to_string(shape_.local_bytes) +
                  " bytes a thread; cudaDeviceSetLimit(cudaLimitStackSize, ...) gives more");
    Join join;
    join.parent = fragment.join;
    join.block = code.end.next;
    join.expected = fragment.mask;
    join.is_call = true;
    join.function = fragment.function;
    join.frame = fragment.frame;
    join.local_frame = fragment.local_frame;
    join.call_site = site_index;
    join.call_frame = static_cast<std::uint32_t>(frame);
    join.call_local_frame = static_cast<std::uint32_t>(local);
    for (auto [offset, bytes] : callee.zeroed) {
        std::byte* slot = frames_of(state.view) + frame + offset;
        if (bytes == 4) {
            std::uint32_t value;
            std::memcpy(&value, slot, 4);
            value &= ~fragment.mask;
            std::memcpy(slot, &value, 4);
            continue;
        }
        const std::uint32_t width = bytes / kWarpSize;
        for (unsigned i = 0; i < kWarpSize; ++i)
            if (fragment.mask >> i & 1) std::memset(slot + i * width, 0, width);
    }
    if (worker_.follower) worker_.follower->enter(state.view, local, callee.local_bytes);
    copy_slots(
        state.view,
        {fragment.frame, static_cast<std::uint32_t>(frame), fragment.local_frame, static_cast<std::uint32_t>(local)},
        site.arguments, false);
    fragment.join = state.lanes.open(join);
    fragment.function = site.function;
    fragment.block = callee.entry;
    fragment.frame = static_cast<std::uint32_t>(frame);
    fragment.local_frame = static_cast<std::uint32_t>(local);
    prepare(state, fragment);
}

// All lanes of a call have returned or exited.
void BlockRunner::resume_call(WarpState& state, std::uint32_t index, Fragment& merged) {
    const Join join = state.lanes.join(index);
    merged = Fragment{};
    merged.mask = join.arrived;
    merged.block = join.block;
    merged.join = join.parent;
    merged.function = join.function;
    merged.frame = join.frame;
    merged.local_frame = join.local_frame;
    prepare(state, merged);
    copy_slots(state.view, {join.frame, join.call_frame, join.local_frame, join.call_local_frame},
               program_.call_sites[join.call_site].results, true);
    state.lanes.close(index);
}

void BlockRunner::tell_end(const WarpState& state, std::uint32_t lanes) const {
    if (program_.ops.empty()) return;  // a kernel without a single instruction
    WarpEnd event;
    event.block = &worker_.block;
    event.clock = &state.view.clock;
    event.op = state.ended_at;
    event.thread = state.first_thread;
    event.mask = lanes;
    worker_.audience.tell(event);
}

bool BlockRunner::leave(WarpState& state, Fragment& fragment, const BasicBlock& code, bool returning) {
    const std::uint32_t lanes = guard_lanes(state, fragment, code.end.op);
    const std::uint32_t rest = fragment.mask & ~lanes;
    returning = returning && fragment.function != 0;
    if (lanes != 0) {
        const std::uint32_t at = state.lanes.leave(fragment.join, lanes, returning);
        if (returning) {
            Fragment merged;
            if (state.lanes.arrive(at, lanes, merged)) state.lanes.finished_calls().push_back(at);
        } else {
            state.view.live &= ~lanes;
            live_ -= static_cast<unsigned>(std::popcount(lanes));
            complete_groups(state);  // nobody waits for those that are gone
            if (state.view.live == 0) {
                state.ended_at = std::max(code.first + code.count + (code.end.op != nullptr ? 1u : 0u), 1u) - 1;
                if (worker_.audience.wants(Event::kWarpEnd)) tell_end(state, lanes);
                check_awaited(state);
            }
        }
        while (!state.lanes.finished_calls().empty()) {
            const std::uint32_t call = state.lanes.finished_calls().back();
            state.lanes.finished_calls().pop_back();
            Fragment merged;
            resume_call(state, call, merged);
            state.lanes.fragments().push_back(merged);
        }
    }
    fragment.mask = rest;
    if (rest == 0) return false;
    fragment.block = code.end.next;
    prepare(state, fragment);
    return true;
}

}  // namespace tilescope::machine
