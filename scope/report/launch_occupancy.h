// What stands behind a launch's occupancy, as a profile has it.
//
// Owns: OccupancyProfile and its parts. Guarantees: values only. Does not model: how many blocks fit
// (models/occupancy.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/enums.h"

namespace tilescope {

// Fewer (or more) of one resource: registers of a thread, threads, bytes of shared memory or barriers of a block, bytes
// of an SM's carve-out.
struct OccupancyChange {
    SmResource resource = SmResource::kThreads;
    std::int64_t change = 0;
    bool operator==(const OccupancyChange&) const = default;
};

// The smallest change that lets more warps stay on an SM, and what it yields. Several changes: only together.
struct OccupancyStep {
    std::vector<OccupancyChange> changes;
    std::uint32_t blocks_per_sm = 0;
    double fraction = 0;
    bool operator==(const OccupancyStep&) const = default;
};

// Blocks that each resource alone would admit; nothing where it does not bound them.
struct OccupancyLimits {
    std::optional<std::uint32_t> threads, blocks, registers, shared, barriers;
    bool operator==(const OccupancyLimits&) const = default;
};

// What plain division says: no allocation units, no sub-partitions, nothing kept by the driver.
struct OccupancyTextbook {
    std::uint32_t blocks_per_sm = 0;
    std::uint64_t threads_per_sm = 0;
    double fraction = 0;
    std::vector<SmResource> limiters;
    OccupancyLimits by;
    // Without whole blocks: the threads that the scarcest resource holds, and their share of the SM's.
    double division_threads = 0, division_fraction = 0;
    bool operator==(const OccupancyTextbook&) const = default;
};

// How a launch's blocks come to the device: as many at once as fit, wave after wave.
struct OccupancyWaves {
    std::uint64_t blocks_at_once = 0;  // on all SMs together
    std::uint64_t full = 0;            // waves of so many
    std::uint64_t tail_blocks = 0;     // of a last wave that is not full; 0: there is none
    std::uint32_t idle_sms = 0;        // that have no block of the last wave
    double tail_fraction() const {
        return blocks_at_once == 0 ? 0 : static_cast<double>(tail_blocks) / static_cast<double>(blocks_at_once);
    }
    bool operator==(const OccupancyWaves&) const = default;
};

// What stands behind a launch's occupancy.
struct OccupancyProfile {
    OccupancyLimits by;
    std::uint64_t registers_per_block = 0;     // as allocated
    std::uint64_t shared_bytes_per_block = 0;  // as allocated, the driver's share included
    std::uint64_t shared_bytes_per_sm = 0;     // that this counts on
    std::uint32_t barriers = 1;                // named barriers that a block uses
    std::optional<unsigned> carveout_percent;  // share of the SM's shared memory that the program asked for
    OccupancyTextbook textbook;
    std::string difference;  // why the hardware holds fewer blocks than the textbook says; empty: it does not
    // Shared bytes per thread: the kernel's own, and those beyond which full occupancy is out of reach, by division and
    // as the hardware allocates for blocks of this size.
    double shared_bytes_per_thread = 0, full_bytes_per_thread = 0, full_bytes_per_thread_allocated = 0;
    std::vector<OccupancyStep> next;        // each alone is enough
    std::vector<OccupancyChange> headroom;  // how much more of each would lose no block
    std::optional<OccupancyWaves> waves;    // nothing without a grid
    std::uint64_t threads_per_sm = 0;       // of the blocks that an SM holds; their warps may have idle lanes beyond
    bool operator==(const OccupancyProfile&) const = default;
};

}  // namespace tilescope
