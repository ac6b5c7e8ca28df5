// How many passes (wavefronts) a shared-memory request takes through the 32 banks of 4 bytes. A pure function.
//
// The rule, as an NVIDIA H200 counts (measured 2026-11-20, driver 580.159.04, Nsight Compute 2025.3.1, 10,424 requests
// by bench/hardware/banks.cu; tests/truth/banks-h200.json holds half of them, and tests hold this rule to every one):
//
// - Lanes are served in groups: a warp at a time for up to 4 bytes a lane, a half-warp for 8, a quarter-warp for 16. A
//   group takes as many passes as the busiest of its banks.
// - Loads, stores, and reductions that add one: a bank takes one pass for every distinct word that is wanted of it. A
//   word that several lanes want, or write, is free.
// - Other atomics: a bank takes one pass for every lane that wants it, same word or not.
// - Wide loads (not stores, not atomics): if every active lane either shares its address with the lane beside it (lane
//   number xor 1) or that lane is inactive, groups are twice as large: 8-byte loads are served by warp, 16-byte ones by
//   half-warp. The same holds for lane number xor 2. It must be one of the two for the whole warp, and how many
//   passes the merged groups take does not matter.
// - A group without an active lane takes no pass; conflicts are the passes of a group beyond its first.
//
// Not modelled: compare-and-swap takes twice the passes at the same conflicts. Atomics without an instruction of their
// own (sums of floating-point or 64-bit numbers) are loops of loads and compare-and-swaps on hardware, and count as
// those; here they are one atomic. Passes that a request loses to L1's own fills are no property of its addresses
// (docs/internals/rules/shared.md).
#pragma once

#include <cstdint>

#include "scope/machine/access.h"

namespace tilescope::observers {

enum class BankUse : std::uint8_t {
    kLoad,
    kStore,
    kIncrement,  // a reduction that adds one to 32 bits
    kAtomic,     // any other atomic or reduction
};

BankUse use_of(machine::AccessKind kind);

struct BankCost {
    unsigned wavefronts = 0;
    unsigned conflicts = 0;  // passes beyond one a group
};

// offsets: byte offsets in shared memory of the lanes in mask; width 1 to 16 bytes, and offsets are multiples of it.
BankCost bank_cost(const std::uint32_t* offsets, std::uint32_t mask, unsigned width, BankUse use);

// How many lanes are served together, in whose passes lanes of other groups have no part.
unsigned lanes_of_group(const std::uint32_t* offsets, std::uint32_t mask, unsigned width, BankUse use);

// Of an access to shared memory, of all its lanes together.
unsigned shared_passes(const machine::Access& access);

// Cycles that a load which hits L1 keeps its pipe, `lines` being how many it touches: passes through the same banks, or
// so many tenths for each line, whichever is more. On an H200 (23 November 2026; loads of 4, 8 and 16 bytes a lane, 32
// warps on an SM) strides of 8 to 128 bytes took their passes, 32 lines without a conflict 8.5 to 10.4, 20 random
// ones 7.3 to 8.3, and single passes 1.3.
unsigned load_passes(const machine::Access& access, unsigned lines, unsigned lookup_tenths);

}  // namespace tilescope::observers
