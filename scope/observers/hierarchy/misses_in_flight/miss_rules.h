// Rules that decide which reads merge on their way to L2.
//
// Guarantees: the code contains no figure of a GPU; the device's description has them, with their sources
// (docs/reference/devices.md).
#pragma once

#include <cstdint>

namespace tilescope::observers {

struct MissRules {
    // Equal ones of a GPC that are made into one (1: none are), for how many cycles others may join a read of what L2
    // has, and how many sectors leave a GPC each cycle (0: without a limit).
    unsigned gpc_reads = 1;
    std::uint32_t gpc_join_cycles = 0, gpc_sectors = 0;
    // Of an SM: the sectors of a load that others may go along with (0: none do), the cycles for which it waits for
    // them, and what a line takes to leave, in tenths of a cycle.
    unsigned queued_sectors = 0;
    std::uint32_t queue_wait = 0, queue_line_tenths = 0;
    // What a line, and each of its sectors, takes of an SM's way from L2, in sixteenths of a cycle.
    std::uint32_t port_line = 0, port_sector = 0;
    bool operator==(const MissRules&) const = default;
};

}  // namespace tilescope::observers
