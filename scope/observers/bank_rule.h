// How many passes (wavefronts) a shared-memory request takes through the 32 banks of 4 bytes. A pure function.
//
// Rule (H200, tests/truth; HARDWARE notes in docs/FIDELITY.md): lanes are served in groups, a warp at a time for up to
// 32 bits a lane, a half-warp for 64, a quarter-warp for 128. A group takes as many passes as the most distinct words
// that any one bank must deliver; a word that several lanes want is free. Loads (not stores) of neighbouring groups are
// served together when that takes a single pass: both halves of a 64-bit load, or both quarters of each half of a
// 128-bit one.
#pragma once

#include <cstdint>

namespace tilescope::observers {

struct BankCost {
    unsigned wavefronts = 0;
    unsigned conflicts = 0;  // passes beyond one a group
};

// offsets: byte offsets in shared memory of the lanes in mask; width 1 to 16 bytes; merges: the request is a load.
BankCost bank_cost(const std::uint64_t* offsets, std::uint32_t mask, unsigned width, bool merges);

}  // namespace tilescope::observers
