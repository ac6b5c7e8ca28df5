// What loops of compare-and-swap on shared memory go by, in ticks of a warp's clock.
//
// Guarantees: no figure of any card stands here; the device's description has them (docs/DEVICES.md).
#pragma once

#include <cstdint>

#include "scope/machine/access.h"

namespace tilescope::observers {

struct SwapRules {
    machine::WarpClock each_try;  // what it adds to its warp's clock
    std::uint64_t interval = 0;   // from one update of a word to the next
};

}  // namespace tilescope::observers
