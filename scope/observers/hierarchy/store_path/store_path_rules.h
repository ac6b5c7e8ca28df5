// Rules of stores on their way to L2.
//
// Guarantees: the code contains no figure of a GPU; the device's description has them, with their sources
// (docs/reference/devices.md).
#pragma once

#include <cstdint>

namespace tilescope::observers {

struct StorePathRules {
    unsigned lines = 1;        // that there is room for
    std::uint32_t wait = 0;    // cycles for which a store's lines wait for more
    std::uint32_t settle = 0;  // cycles until L1 knows that a line has left
    // What a store takes of an SM's way to L2: each of its lines, and each sector, whole or in part; 0: no time.
    double line_cycles = 0, sector_cycles = 0, part_cycles = 0;
    bool operator==(const StorePathRules&) const = default;
};

}  // namespace tilescope::observers
