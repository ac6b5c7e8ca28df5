// What a model of the caches has to know of a device and of a launch on it.
//
// Guarantees: plain figures; where they come from stands with the device (models::Device) and in bench/hardware.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/access.h"
#include "scope/machine/cache_policy.h"

namespace tilescope::observers {

inline constexpr unsigned kLineShift = 7, kLineBytes = 1u << kLineShift;
inline constexpr unsigned kSectorShift = 5, kSectorBytes = 1u << kSectorShift, kSectorsPerLine = 4;

// Of a line's sectors, how many: not every processor that this runs on counts bits by itself.
constexpr unsigned sector_count(unsigned sectors) {
    return static_cast<unsigned>(0x4332322132212110ull >> 4 * (sectors & 15) & 15);
}

// Lines for which a stream or a launch asks L2 for a priority: for such a part of them one, for the others another.
struct AccessWindow {
    std::uint64_t first_line = 0, lines = 0;  // as caches see them
    unsigned sixteenths = 0;
    machine::Eviction inside = machine::Eviction::kNormal, others = machine::Eviction::kNormal;

    bool holds(std::uint64_t line) const { return line - first_line < lines; }
    machine::Eviction eviction_of(std::uint64_t line) const {
        return machine::is_in_fraction(line, sixteenths) ? inside : others;
    }
};

struct CacheFigures {
    std::uint32_t sms = 1;
    // Blocks go to one group of SMs after the other, one to each SM that has room; groups are `sms_in_turn`, SMs are
    // numbered through. The first group comes again after every `turns_between` others.
    std::vector<std::uint32_t> sms_in_turn = {1};
    std::uint32_t first_turns = 0, turns_between = 0;  // 0: it comes when all others have
    // From one block to the next that begins in a group: when a launch begins, and where another one has ended; at the
    // least from the end of a block to the begin of the next in its place; from one warp of a block to the next.
    std::uint32_t cycles_per_first_block = 1, cycles_per_block = 1, block_pause = 0, cycles_per_warp = 0;
    std::uint64_t blocks_per_sm = 1;
    std::uint32_t warps = 1;        // of a block
    std::uint64_t local_bytes = 0;  // of a thread's stack
    // SMs whose reads meet on the way to L2 (by SM); how many equal ones are made into one (1: none are); how many
    // sectors leave a group each cycle, and for how many cycles others may join a read of what L2 has.
    std::vector<std::uint8_t> group;
    unsigned merged_reads = 1;
    std::uint32_t group_sectors = 16, merge_cycles = 0;

    std::uint32_t l1_tags = 0;            // lines that L1 keeps or has under way; 0: as many as it keeps
    std::uint64_t l1_bytes = 0;           // what the launch's shared memory leaves; 0: global loads are not kept
    std::uint64_t l2_bytes = 0;           // all parts together
    unsigned l2_parts = 1;                // 1 or 2
    std::vector<std::uint8_t> near_part;  // by SM
    std::uint64_t home_mask = 0;          // a line lives in the part that the parity of these address bits names
    unsigned l2_ways = 16;
    // What opening a row of device memory takes, in bytes that could move meanwhile.
    std::uint32_t row_read_bytes = 0, row_write_bytes = 0;
    unsigned dirty_ways = 7, partial_ways = 2;  // of a set, that wait to be written back; of these, for more bytes
    unsigned last_ways = 3;                     // of a set, whose lines give way after all others
    std::vector<AccessWindow> windows;          // of the launch

    // An SM's cache for constants: its sets (0: none is known), ways and lines, and the lines of the GPC's behind it,
    // as shifts; and what a miss takes longer that the second one has.
    std::uint32_t constant_sets = 0, constant_ways = 4, constant_line_shift = 6, constant_second_shift = 8;
    std::uint32_t constant_miss_cycles = 66;

    // What a launch itself reads of device memory, its code and its parameters among it: the least that was seen.
    std::uint64_t launch_bytes = 0;
    // What is dirty in L2 when nothing of the program's is there: others left it, and it is written when it gives way.
    std::uint64_t launch_dirty = 0;

    // By basic block, what it adds to a warp's clock.
    std::vector<machine::WarpClock> paces;
    // What each turn of a loop of compare-and-swap on shared memory adds.
    machine::WarpClock swap_try;

    // Of requests that are kept until their turn; a launch that needs more is not followed.
    std::uint64_t max_traffic_bytes = std::uint64_t{3} << 30;

    // Cycles, and bytes a cycle of all SMs. They decide what meets what on its way, and nothing else. `dram_latency` is
    // of a line in the part where it lives.
    std::uint32_t l1_latency = 32, near_latency = 280, far_latency = 500, dram_latency = 660;
    double dram_bytes_per_cycle = 2000;
    double intake_bytes_per_cycle = 0;  // of L2, from SMs and from device memory together; 0: without a limit
    // What a store takes of an SM's way to L2: each of its lines, and each sector, whole or in part; 0: no time.
    double store_line_cycles = 0, store_sector_cycles = 0, store_part_cycles = 0;
    // What a read waits for device memory where that is busy, beyond dram_latency, times the share of its time that
    // reads, or writes, keep it, over the share that nobody does.
    double dram_read_wait = 0, dram_write_wait = 0;
};

}  // namespace tilescope::observers
