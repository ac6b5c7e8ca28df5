// WarpPosition: a warp's position in its code, and the time that its requests have been charged.
//
// Owns: the op of its last access or event, and the work since its last request. Guarantees: no time is charged twice.
// Loads are waited for once per load round. Does not model: results of the simulation.
#pragma once

#include <algorithm>
#include <cstdint>

#include "scope/machine/access.h"
#include "scope/observers/hierarchy/record/issues.h"
#include "scope/observers/hierarchy/record/traffic.h"

namespace tilescope::observers {

struct WarpPosition {
    static constexpr std::uint32_t kNowhere = 0xffffffffu;  // numeric: all bits

    std::uint32_t op = kNowhere;
    std::uint32_t passes = 0;
    machine::WarpClock charged{};  // what requests were charged with
    machine::WarpClock now{};
    machine::WarpClock loops{};     // what loops of compare-and-swap took, which are one op here
    std::int64_t before_block = 0;  // turns
    bool awaits_copies = false;     // it has come to an instruction that waits for all of them
    bool apart = false;             // another basic block, or another turn of one, than its last request

    // `clock` is at the end of the op's basic block, which takes `pace`.
    void advance(const Issue& here, const machine::WarpClock& clock, const machine::WarpClock& pace) {
        now = {clock.slots - here.left.slots + loops.slots, clock.chain - here.left.chain + loops.chain, clock.turns};
        before_block = clock.turns - pace.turns;
    }

    // It went round a loop of compare-and-swap.
    void loop(const machine::WarpClock& took) {
        for (machine::WarpClock* clock : {&loops, &now}) {
            clock->slots += took.slots;
            clock->chain += took.chain;
        }
    }

    // It has waited for all turns but the last.
    void charge_turn() { charged.turns = now.turns - kTurn; }

    // Whether the warp's next request needs what was requested before it: once for each turn that its code has come to.
    // Those of earlier basic blocks are told by their number alone; in one block, by the first op that takes what was
    // loaded (`takes`), and at its end.
    bool needs_loads(bool takes, bool ends_block, bool keeps_time) {
        if (!keeps_time) return takes || ends_block || apart;
        const std::int64_t due = ends_block ? now.turns : before_block;
        if (due >= charged.turns + kTurn) {
            charged.turns = due - (due - charged.turns) % kTurn;
            return true;
        }
        if (!takes || now.turns < charged.turns + kTurn) return false;
        charged.turns += kTurn;
        return true;
    }

    // Whether it has waited for copies since its last request: one turn, as far as its code has come to one.
    bool has_waited() {
        if (!awaits_copies) return false;
        awaits_copies = false;
        if (now.turns >= charged.turns + kTurn) charged.turns += kTurn;
        return true;
    }

    // With all that came before it, or with the slots of so many ops at most.
    void charge(Request& request, bool all, std::uint32_t ops) {
        request.slots = Span::of(cycles(charged.slots, now.slots, all ? Span::kMax : ops)) & Span::kMask;
        charged.slots += Span::cycles(request.slots) * kTicks;
        if (!all) return;
        request.chain = Span::of(cycles(charged.chain, now.chain, Span::kMax)) & Span::kMask;
        charged.chain += Span::cycles(request.chain) * kTicks;
    }

private:
    static constexpr auto kTicks = static_cast<std::uint64_t>(machine::kClockTicks);
    static constexpr auto kTurn = static_cast<std::int64_t>(machine::kClockTicks);

    // Whole cycles between two of a warp's times, so many at most.
    static std::uint64_t cycles(std::uint64_t from, std::uint64_t to, std::uint64_t max) {
        return to > from ? std::min(max, (to - from) / kTicks) : 0;
    }
};

}  // namespace tilescope::observers
