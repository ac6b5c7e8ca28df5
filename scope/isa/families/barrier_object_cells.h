// The barrier objects that the lanes of one instruction use, one after the other.
//
// Owns: for_each_object(), which also announces what was used. Guarantees: lanes that must not reach their object are
// left out and given back. Does not model what an arrival or a wait is: barrier_object.cpp does.
#pragma once

#include <bit>
#include <cstring>
#include <string>

#include "scope/isa/families/memory_access.h"
#include "scope/machine/barrier_object.h"

namespace tilescope::isa::TILESCOPE_TARGET {

using machine::BarrierObject;
using machine::BarrierObjectKind;

constexpr std::uint16_t kDrops = 1 << 10;       // later phases expect that much less
constexpr std::uint16_t kNoComplete = 1 << 11;  // the program promises that the phase goes on
constexpr std::uint16_t kExpects = 1 << 12;     // the count is of bytes, and one thread arrives
constexpr std::uint16_t kHasCount = 1 << 13;

// What came of an instruction's lanes.
struct ObjectsUsed {
    std::uint32_t lanes = 0;      // that used their object
    std::uint32_t completed = 0;  // of these, those that ended its phase

    void note(unsigned lane, bool completes = false) {
        lanes |= 1u << lane;
        completed |= static_cast<std::uint32_t>(completes) << lane;
    }
};

inline void tell_of_objects(Warp& warp, const Op& op, const SiteMemo& memo, std::uint64_t first, BarrierObjectKind kind,
                            const ObjectsUsed& used) {
    const machine::OpFacts& facts = warp.worker->program->facts[op.index];
    std::uint64_t addresses[kWarpSize];
    for (unsigned i = 0; i < kWarpSize; ++i) addresses[i] = first + static_cast<std::uint64_t>(memo.deltas[i]);
    machine::BarrierObjectUse event;
    fill(event, warp, op);
    event.mask = used.lanes;
    event.kind = kind;
    event.order = facts.order;
    event.scope = facts.scope;
    event.drops = (op.flags & kDrops) != 0;
    event.expects_bytes = (op.flags & kExpects) != 0;
    event.completes = used.completed;
    event.addresses = addresses;
    if (op.flags & kHasCount) event.values = warp.source<std::uint32_t>(op.b);
    warp.worker->audience.tell(event);
}

// Calls act(lane, cell, used) for every lane that may, lowest first; the 64 bits of its object lie at `cell`. Gives the
// lanes that may not.
template <class Act>
std::uint32_t for_each_object(Warp& warp, const Op& op, BarrierObjectKind kind, bool writes, Act act) {
    SiteMemo& memo = warp.worker->memos[op.site];
    Located at = locate(warp, op, memo);
    if (!(op.flags & kOnShared)) at.first -= warp.worker->shared_window;
    if (memo.space != Space::kShared) at.same = false;
    memo.space = Space::kShared;
    const std::uint32_t all = warp.exec;
    (void)permit(warp, op, memo, at, Space::kShared, writes);
    const std::uint32_t permitted = warp.exec;
    warp.exec = all;
    ObjectsUsed used;
    for (std::uint32_t left = permitted; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        act(lane, warp.worker->shared + (at.first + static_cast<std::uint64_t>(memo.deltas[lane])), used);
    }
    if (used.lanes != 0 && warp.worker->audience.wants(machine::Event::kBarrierObject))
        tell_of_objects(warp, op, memo, at.first, kind, used);
    return all & ~permitted;
}

inline BarrierObject read_object(const std::byte* cell) {
    std::uint64_t bits;
    std::memcpy(&bits, cell, sizeof bits);
    return BarrierObject::read(bits);
}

inline void write_object(std::byte* cell, const BarrierObject& object) {
    const std::uint64_t bits = object.bits();
    std::memcpy(cell, &bits, sizeof bits);
}

// A use that PTX leaves undefined.
inline void refuse_use(const Warp& warp, const Op& op, unsigned lane, const std::string& what) {
    refuse(warp, op, machine::FaultKind::kIllegalInstruction, Space::kShared, lane, true, [&] { return what; });
}

inline bool is_object(const Warp& warp, const Op& op, unsigned lane, const BarrierObject& object) {
    if (object.valid) return true;
    refuse_use(warp, op, lane, "there is no mbarrier at this address: it was not initialised, or is overwritten");
    return false;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
