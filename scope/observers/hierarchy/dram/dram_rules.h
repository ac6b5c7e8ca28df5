// Rules of DRAM and of its path into L2.
//
// Guarantees: the code contains no figure of a GPU; the device's description has them, with their sources
// (docs/reference/devices.md).
#pragma once

#include <cstdint>

namespace tilescope::observers {

struct DramRules {
    std::uint32_t latency = 1;          // cycles, of a line in the part of L2 where it lives
    double bytes_per_cycle = 0;         // 0: without a limit
    double intake_bytes_per_cycle = 0;  // of L2, from SMs and from device memory together; 0: without a limit
    // What opening a row takes, in bytes that could move meanwhile; and how many bytes of addresses a row is.
    std::uint32_t row_read_bytes = 0, row_write_bytes = 0, row_bytes = 0;
    // What a read waits where memory is busy, beyond `latency`, times the share of its time that reads, or writes, keep
    // it, over the share that nobody does.
    double read_wait = 0, write_wait = 0;
    double history = 0;     // cycles back for which it is known how busy memory was; 0: nobody waits for that
    double reached = 1;     // of peak bandwidth, what is reached
    double busiest = 0;     // and of that, what is still a queue
    double write_cost = 1;  // a byte that is written takes as long as so many that are read
    bool operator==(const DramRules&) const = default;
};

}  // namespace tilescope::observers
