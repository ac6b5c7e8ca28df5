// Distinct values among a warp's addresses.
#pragma once

#include <bit>
#include <cstdint>

#include "scope/machine/access.h"

namespace tilescope::observers {

// How many distinct values key(lane) takes over the active lanes of `mask`.
template <class Key>
unsigned count_distinct(std::uint32_t mask, Key key) {
    std::uint64_t seen[machine::kWarpSize];
    unsigned count = 0;
    bool ascending = true;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        const std::uint64_t value = key(static_cast<unsigned>(std::countr_zero(left)));
        if (count != 0 && ascending) {
            if (value == seen[count - 1]) continue;
            ascending = value > seen[count - 1];
        }
        if (!ascending) {
            bool known = false;
            for (unsigned i = 0; i < count; ++i) known |= seen[i] == value;
            if (known) continue;
        }
        seen[count++] = value;
    }
    return count;
}

}  // namespace tilescope::observers
