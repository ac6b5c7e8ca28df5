// Rules of L2.
//
// Guarantees: the code contains no figure of a GPU; the device's description has them, with their sources
// (docs/reference/devices.md).
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/cache_policy.h"

namespace tilescope::observers {

// Lines for which a stream or a launch asks L2 for a priority: for such a part of them one, for the others another.
struct AccessWindow {
    std::uint64_t first_line = 0, lines = 0;  // as caches see them
    unsigned sixteenths = 0;
    machine::Eviction inside = machine::Eviction::kNormal, others = machine::Eviction::kNormal;

    bool holds(std::uint64_t line) const { return line - first_line < lines; }
    machine::Eviction eviction_of(std::uint64_t line) const {
        return machine::is_in_fraction(line, sixteenths) ? inside : others;
    }
    bool operator==(const AccessWindow&) const = default;
};

struct L2Rules {
    std::uint64_t bytes = 0;              // all parts together
    unsigned parts = 1;                   // 1 or 2
    std::vector<std::uint8_t> near_part;  // by SM
    std::uint64_t home_mask = 0;          // a line lives in the part that the parity of these address bits names
    unsigned ways = 1;
    unsigned dirty_ways = 1, partial_ways = 1;  // of a set, that wait to be written back; of these, for more bytes
    unsigned last_ways = 1;                     // of a set, whose lines give way after all others
    std::vector<AccessWindow> windows;          // of the launch
    // What is dirty in L2 when nothing of the program's is there: others left it, and it is written when it gives way.
    std::uint64_t launch_dirty = 0;
    std::uint32_t near_latency = 1, far_latency = 1;  // cycles
    // Slices that do atomics, half of them where the parity of these address bits is odd: atomic_units.h alone asks.
    std::uint32_t slices = 1;
    std::uint64_t slice_mask = 0;
    bool operator==(const L2Rules&) const = default;
};

}  // namespace tilescope::observers
