// What is resident on an SM: whose warps hold its places, and what a device lets a block of each size have and still
// fill it.
//
// Owns: ResidentSm, resident_sm(), FullBlock, full_blocks(). Guarantees: pure functions; places, registers and bytes
// are those that occupancy() counts. Does not model: which part of the SM a warp really goes to (here they take turns,
// as the count of warps takes for granted), nor when a block ends and the next one takes its place.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scope/models/occupancy.h"

namespace tilescope::models {

// One SM with as many blocks as fit, numbered from 0.
struct ResidentSm {
    // By part of the SM, which issues for its own warps: the block of each of its places for a warp, nothing where
    // that is free.
    std::vector<std::vector<std::optional<std::uint32_t>>> parts;
    std::uint32_t blocks = 0;
    std::uint64_t registers = 0, registers_per_block = 0;  // that the SM has; that each block holds until it ends
    std::uint64_t shared_bytes = 0, shared_per_block = 0;  // likewise, the driver's share included
};

ResidentSm resident_sm(const Device& device, const KernelResources& kernel);

// Blocks of one size: how many of them fit if they ask for nothing else, and the most that a thread of them may have
// without one of them less.
struct FullBlock {
    std::uint64_t threads = 0;
    std::uint32_t blocks_per_sm = 0;
    double fraction = 0;              // of the SM's warps
    std::uint32_t registers = 0;      // of a thread
    double shared_bytes = 0;          // of a thread
    std::uint64_t shared_in_all = 0;  // of a block
};

// Of one warp, two, four and so on, up to the largest block that there is.
std::vector<FullBlock> full_blocks(const Device& device);

}  // namespace tilescope::models
