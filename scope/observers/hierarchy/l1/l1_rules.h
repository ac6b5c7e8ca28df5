// Rules of an SM's own caches.
//
// Guarantees: the code contains no figure of a GPU; the device's description has them, with their sources
// (docs/reference/devices.md).
#pragma once

#include <cstdint>

namespace tilescope::observers {

struct L1Rules {
    std::uint64_t bytes = 0;    // what the launch's shared memory leaves; 0: global loads are not kept
    std::uint32_t tags = 0;     // lines that L1 keeps or has under way; 0: as many as it keeps
    std::uint32_t latency = 1;  // cycles
    // What is replaced is one at random among so many lines that were used least recently, and half of all at most.
    std::uint32_t victims = 0;
    // How many lines may be such that give way last: of the tags, and of the lines that there is room for.
    double last_of_tags = 0, last_of_lines = 0;
    // What the lookup of a line takes, in tenths of a cycle: of one that is there, and of one that is not.
    unsigned hit_tenths = 0, miss_tenths = 0;
    bool operator==(const L1Rules&) const = default;
};

// An SM's cache for constants, and the GPC's behind it.
struct ConstantRules {
    std::uint32_t sets = 0, ways = 1;                // no sets: none is known
    std::uint32_t line_shift = 0, second_shift = 0;  // their lines
    std::uint32_t miss_cycles = 1;                   // what a miss takes longer that the second one has
    bool operator==(const ConstantRules&) const = default;
};

}  // namespace tilescope::observers
