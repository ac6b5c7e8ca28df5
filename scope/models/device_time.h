// What of a device the models of time go by: a launch's time, the time line, the pages of managed memory.
//
// Owns: Pace, TimeRules, HostLinkRules, PageRules. Guarantees: the device's description fills every field, each with
// its kind and source (device_time_figures.cpp has the keys). Of what is new to Pace's neighbours a description that
// does not say it has what its compute capability's does, so none of these is ever 0 for want of a figure.
// Does not model: anything; docs/internals/time-model.md and docs/reference/timeline.md have the formulas.
#pragma once

#include <cstdint>

namespace tilescope::models {

// How fast what is no pipe follows upon itself, and what goes before. Cycles of the SM clock.
struct Pace {
    double launch = 0;          // before the first instruction of a launch and behind the last
    double block = 0;           // of a block, to begin and to end
    double block_interval = 0;  // from one block that begins to the next, all SMs together
    // Of an SM's way to L2: from one line to the next, and what each sector that is stored takes besides, whole or not.
    double request_interval = 0, sector_interval = 0, part_interval = 0;
    double constant_interval = 0;  // of an SM's constant cache, from one address to the next
    double atomic_interval = 0;    // of a part of L2, from one update to the next
    double atomic_float = 0;       // the same, from a sum of floats to the next in its sector
    double shared_swap = 0;        // of a warp's attempt to swap in shared memory, until it may try again
    double shared_swap_next = 0;   // of a word of shared memory, from one swap by a loop to the next
    double store_interval = 0;     // of L2, from one store to a line to the next to it
    double dram_warp = 0;          // beyond latency_dram: until the slowest lane of a warp has its word
    double lookup_bytes = 0;       // of L2's bandwidth that the lookup of a line takes at least
    // What a read waits longer while device memory is busy, times the share of its time that reads, or writes, keep it,
    // over the share that nobody does.
    double dram_read_wait = 0, dram_write_wait = 0;
};

// What of its peaks a device reaches, and what a warp's time has beside its instructions and requests.
struct TimeRules {
    // Of peak bandwidth of device memory, what reading alone gives, and what is left for each byte written.
    double dram_read_share = 0, dram_write_share = 0;
    double l1_share = 0;           // of a pass through L1 and shared memory each cycle
    double slot_share = 0;         // of a scheduler's slot each cycle, with warps enough
    double access_interval = 0;    // cycles, from one access or exchange between lanes of a scheduler to its next
    double read_request = 0;       // of a store's way from the SM to L2, what a load's request takes
    double reduction_way = 0;      // of an atomic's way, what one without a result takes
    double barrier = 0;            // cycles, warps in step: the instruction, and the first to go on
    double warp_instructions = 0;  // that every warp runs to begin and to end, beyond those that the PTX names
    double pipe_norm = 0;          // the power by which pipes of a scheduler that are busy together add up
    double atomic_result = 0;      // cycles by which an atomic's result comes later than a read of L2
    double block_resident =
        0;               // cycles that a block's warps are on the SM before their first work and behind their last
    double in_step = 0;  // the least share of a launch's warps that wait at the same time
    double constant_pass = 0;  // cycles of an address of constant memory, for the least time of a launch
    double least_launch = 0;   // microseconds, of a launch that has next to nothing to do
};

// Between host and device: what the link, the driver and the host's processor take. Microseconds, bytes a second.
struct HostLinkRules {
    double copy_share = 0;          // of the link's data rate, what copies of pinned memory reach
    double pageable_bandwidth = 0;  // through the driver's own buffer, by the host's processor
    // The least that a copy or a set takes its engine, one behind another.
    double copy_start = 0, set_start = 0;
    // What a call that issues work takes the host, and one that finds nothing to wait for.
    double call_launch = 0, call_copy = 0, call_set = 0, call_wait = 0, call_graph = 0;
    double graph_step = 0;          // from one kernel of a graph's chain to the next, with next to nothing to do
    std::uint32_t queue_depth = 0;  // pieces of work that the host may be ahead of the device
    // Where a description names no link, or no device memory: to estimate by.
    double link_estimate = 0, dram_estimate = 0;
};

// Page faults of managed memory, one behind another, and what they bring, either way.
struct PageRules {
    double fault = 0;      // microseconds
    double bandwidth = 0;  // bytes a second
};

}  // namespace tilescope::models
