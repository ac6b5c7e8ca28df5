// Which of a warp's 32 values are alike, and what else observers do with many lanes or bits at once.
//
// Owns: LaneSets, the functions of one instruction set. Guarantees: every set gives the same answers. Does not model:
// what the values are; observers ask it about addresses.
#pragma once

#include <cstdint>
#include <string_view>

#include "scope/machine/op.h"

namespace tilescope::machine {

struct LaneSets {
    // Lanes whose key a lower lane has, too.
    std::uint32_t (*repeats)(const std::uint32_t* keys);
    // How many different values (keys[i] + add) >> shift there are.
    unsigned (*count_distinct)(const std::uint32_t* keys, std::uint32_t add, unsigned shift);
    // For each lane, how many lower lanes have its key.
    void (*ranks)(const std::uint32_t* keys, std::uint32_t* ranks);
    // Byte offsets lie in 32 banks of 4-byte words: how many of `lanes`, of which there is one at least, the busiest
    // bank gets. Lanes that want the same word count once if it is `shared`.
    unsigned (*max_per_bank)(const std::uint32_t* offsets, std::uint32_t lanes, bool shared);
    // offsets[i] = deltas[i] - low, where low is the least of the deltas; and all offsets or-ed, in more bits than they
    // are stored in.
    struct Span {
        std::int64_t low = 0;
        std::uint64_t bits = 0;
    };
    Span (*offsets)(const std::int64_t* deltas, std::uint32_t* offsets);
    // Moves the bits of 16 words into 16 others and returns how many they were; those that the others have already
    // count, too.
    unsigned (*move_bits)(std::uint32_t* from, std::uint32_t* to);
};

// Of the target that lane code is chosen from (targets.h).
const LaneSets& lane_sets();
// Of one of runnable_targets().
const LaneSets& lane_sets(std::string_view target);

}  // namespace tilescope::machine
