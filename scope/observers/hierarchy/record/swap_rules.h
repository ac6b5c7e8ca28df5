// Rules of compare-and-swap loops on shared memory, in ticks of a warp's clock.
//
// Guarantees: the code contains no figure of a GPU; the device's description has them (docs/reference/devices.md).
#pragma once

#include <cstdint>

#include "scope/machine/access.h"

namespace tilescope::machine {

inline bool operator==(const WarpClock& a, const WarpClock& b) {
    return a.slots == b.slots && a.chain == b.chain && a.turns == b.turns;
}

}  // namespace tilescope::machine

namespace tilescope::observers {

struct SwapRules {
    machine::WarpClock each_try;  // what it adds to its warp's clock
    std::uint64_t interval = 0;   // from one update of a word to the next
    bool operator==(const SwapRules&) const = default;
};

}  // namespace tilescope::observers
