// The slow half of checking an access: which allocation, and what to do when there is none. One copy for all targets.
#pragma once

#include <cstdint>

#include "scope/isa/families/fault_words.h"
#include "scope/isa/table/memory_flags.h"
#include "scope/machine/worker.h"

namespace tilescope::isa {

// The address of a lane whose base register differs by `delta` from the first lane's. 32-bit registers wrap; what is
// above them (constant memory) stays.
inline std::uint64_t lane_address(const machine::Op& op, std::uint64_t first, std::int64_t delta) {
    const std::uint64_t address = first + static_cast<std::uint64_t>(delta);
    return op.flags & kNarrowAddress ? (first >> 32 << 32) | (address & 0xffffffffu) : address;
}

struct LawfulLanes {
    std::uint32_t lanes = 0;
    bool together = true;  // their bytes all lie memo.shift from their addresses
};

// Looks every active lane's address up and gives the lanes that may make the access; remembers the allocation in the
// memo when one holds them all. A lane that is misaligned or outside ends the kernel, or is taken down where the run
// goes on after faults. `writes`: read-only allocations are outside. `sizes`: bytes that each lane touches where they
// are fewer than the width, or nullptr.
LawfulLanes lawful_lanes(machine::Warp& warp, const machine::Op& op, machine::SiteMemo& memo, std::uint64_t first,
                         machine::Space space, bool writes, const std::uint32_t* sizes);

// What is wrong with a lane's access, and what a card makes of it.
struct Refusal {
    Refusal(machine::FaultKind what) : kind(what), on_card(what) {}
    machine::FaultKind kind, on_card;
    bool is_noticed = true;  // false: the card goes on as if nothing was
};

// A lane's access is not allowed: ends the kernel, or takes the fault down where the run goes on after faults or a card
// does not notice this one. describe() gives the message.
template <class Describe>
void refuse(const machine::Warp& warp, const machine::Op& op, const Refusal& refusal, machine::Space space,
            unsigned lane, bool writes, const Describe& describe) {
    const auto fault = [&] {
        machine::Fault made = machine::fault_of(warp, op, refusal.kind, name_of(space), lane, describe());
        made.on_card = refusal.on_card;
        return made;
    };
    const machine::Worker& worker = *warp.worker;
    if (refusal.is_noticed && !worker.on_after_faults) throw fault();
    worker.faults->note(op.index, refusal.kind, space, writes, fault);
}

// The pattern of such an access in the process's own addresses: for moving bytes only, counts go by the kernel's. The
// first lane's shift is in `memo`.
machine::SiteMemo apart(const machine::Warp& warp, const machine::SiteMemo& memo, std::uint64_t first);

}  // namespace tilescope::isa
