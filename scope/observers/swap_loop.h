// Updates that hardware has no instruction for: a loop of a load, the arithmetic and a compare-and-swap.
//
// Owns: how often the lanes of a warp go round it. Guarantees: what ptxas 13.0 makes of them for sm_90: on shared
// memory sums of floats, and of 64 bits all but exchanges, try until their word was theirs, each bank for one lane a
// turn; what has 16 bits tries until nobody else has changed its word. An H100 counts the same (driver 580, November
// 2026: for four lanes a word 80 additions of floats and of doubles a warp, for 32 neighbouring halves 2 requests of 6
// sectors). Does not model: words that other warps change meanwhile.
#pragma once

#include "scope/machine/access.h"

namespace tilescope::observers {

struct SwapLoop {
    unsigned turns = 0;    // of the warp
    unsigned lanes = 0;    // that take part, over all turns
    unsigned passes = 0;   // through the banks, on shared memory: the loads', and two for each compare-and-swap
    unsigned sectors = 0;  // of the compare-and-swaps, on global memory
};

SwapLoop swap_loop(const machine::Access& access);

}  // namespace tilescope::observers
