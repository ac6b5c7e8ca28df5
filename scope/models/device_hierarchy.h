// CacheLayout: a device's caches as figures, for the model of the caches alone.
//
// Owns: what the rules of observers/hierarchy are filled with (session/launch/cache_figures.h), part by part.
// Guarantees: 0 where a description says nothing; cycles are those of the SM clock.
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::models {

// Of an SM's L1.
struct L1Figures {
    std::uint32_t victims = 0;                   // lines among which the one to be replaced is chosen
    double last_of_tags = 0, last_of_lines = 0;  // of its tags, and of its lines, that may give way last
    double hit_lookup = 0, miss_lookup = 0;  // cycles that a line is looked up for: one that is there, one that is not
};

// Of reads on their way from an SM to L2.
struct MissFigures {
    std::uint32_t queue_sectors = 0,
                  queue_wait = 0;           // of a load that others may go along with, and for how many cycles
    double queue_line = 0;                  // cycles from one line that leaves to the next
    double port_line = 0, port_sector = 0;  // cycles of an SM's way from L2
};

// Of stores on their way from an SM to L2.
struct StorePathFigures {
    std::uint32_t lines = 0;   // that can wait to leave
    std::uint32_t wait = 0;    // cycles for which they wait for more of the same
    std::uint32_t settle = 0;  // cycles until L1 knows that one has left
};

// Of L2's slices, for atomics.
struct L2SliceFigures {
    std::uint32_t count = 0;
    std::uint64_t side_mask = 0;  // the parity of these address bits names the side on which a line's slice is
};

// Of device memory and the queue before it.
struct DramFigures {
    std::uint32_t row_bytes = 0;  // addresses of a row
    double history = 0;           // cycles back for which it is known how busy memory was
    double reached = 0;           // of peak bandwidth
    double busiest = 0;           // of that, what is still a queue
    double write_cost = 0;        // bytes that could be read while one is written
};

// Of where blocks go and when warps have their turns.
struct SchedulerFigures {
    // How many turns later than usual the first group gets its share of the blocks that are left over: of up to
    // `few_left` one for each beyond `few_turns`, of more `left_turns` and so many for each.
    std::uint32_t few_left = 0, few_turns = 0;
    double left_turns = 0, turns_per_left = 0;
    std::uint32_t four_behind = 0;                 // cycles by which each four warps of a block are behind besides
    std::uint32_t pair_files = 0, file_delay = 0;  // of a GPC's pairs of SMs, and cycles from one file to the next
    std::uint32_t in_order = 0;                    // accesses that wait for a scheduler in the order in which they came
};

// Of an SM's texture unit.
struct TextureFigures {
    std::uint32_t latency = 0;  // cycles until a fetch of what L1 has comes; 0: nothing is known of textures
    double interval = 0;        // cycles from one pass to the next
    std::uint32_t tags = 0;     // lines that a pass looks up
    // Passes that a request takes at least: of four texels for one channel each, of texels of 16 bytes, of such reads
    // of surfaces.
    std::uint32_t gather = 0, wide = 0, wide_surface = 0;
    std::uint32_t wide_filtered = 0;  // bytes of texels of 16 bytes that a pass filters
};

// The share for shared memory that the driver sets up for a launch whose program prefers none.
struct CarveoutFigures {
    double spare = 0, spare_of_two = 0;  // blocks that there is room for, over those that fit; where two fill an SM
    std::uint32_t max_blocks = 0;        // of these
    std::uint64_t max_bytes = 0;         // so far as these go
    std::uint64_t without = 0, max_without = 0;  // bytes for each block that has no shared memory, and for all
};

// What the replay's clock takes where the device's own latencies and bandwidth are not known: cycles, bytes a cycle.
struct ReplayClockFigures {
    std::uint32_t l1 = 0, l2 = 0, dram = 0;
    double dram_rate = 0;
};

// How caches are laid out and behave, for the model of the caches alone.
struct CacheLayout {
    // Of L1's bytes, those that a ring of lines cannot use; and of an L1 smaller than `l1_small`.
    std::uint64_t l1_loss = 0, l1_loss_small = 0, l1_small = 0;
    std::uint32_t l2_parts = 0;      // an SM is nearer to one of them; 0: not known, taken as one
    std::uint64_t l2_home_mask = 0;  // the parity of these address bits names the part where a line lives
    std::uint32_t l2_ways = 0, l2_dirty_ways = 0,
                  l2_partial_ways = 0;  // of a set; of these, that may wait to be written back
    std::uint32_t l2_last_ways = 0;     // whose lines give way last, where no program has set another limit
    // Groups of SMs in the order in which blocks go to them: SMs, number of the GPC, and the part of L2 it is near to.
    std::vector<std::uint32_t> turn_sms, turn_gpc, turn_side;
    // The first group comes again after every `turns_between` others, so often; 0: it comes when all others have.
    std::uint32_t first_turns = 0, turns_between = 0;
    // Cycles from one block that begins in a GPC to the next, where others have ended; from the end of a block to the
    // begin of the one that takes its place; from one warp of a block to the next; and from one warp to the next of a
    // GPC while a launch begins.
    std::uint32_t block_interval = 0, block_pause = 0, warp_interval = 0;
    double first_interval = 0;
    std::uint32_t merged_reads = 0;  // equal ones of a GPC that become one
    std::uint32_t merge_cycles = 0;  // for which a read of what L2 has can be joined
    std::uint32_t gpc_sectors = 0;   // that a GPC asks for in a cycle
    // What opening a row of device memory takes, in bytes that could be read or written meanwhile.
    std::uint32_t row_read_bytes = 0, row_write_bytes = 0;
    std::uint64_t launch_bytes = 0;  // of device memory that a launch itself reads
    std::uint64_t launch_dirty = 0;  // bytes that are dirty in L2 when a launch begins with nothing of its own there
    // An SM's cache for constants, its lines and ways, and the lines of the one behind it; 0: not known.
    std::uint32_t constant_size = 0, constant_ways = 0, constant_line = 0, constant_second_line = 0;

    L1Figures l1;
    MissFigures misses;
    StorePathFigures stores;
    L2SliceFigures slices;
    DramFigures dram;
    SchedulerFigures scheduler;
    TextureFigures texture;
    CarveoutFigures carveout;
    ReplayClockFigures clock;
};

}  // namespace tilescope::models
