// How two ops of a kernel stand to each other: what words about the place between them may say.
#pragma once

#include <cstdint>
#include <utility>

#include "scope/machine/program.h"

namespace tilescope {

// Which way leads from one op to another without a barrier of the block on it.
enum class Way : std::uint8_t {
    kNone,
    kStraight,  // within one turn of all loops that hold both
    kRound,     // only by a loop's next turn
};

struct CodeOrder {
    Way way = Way::kNone;  // from the first to the second
    bool is_one_function = true;
    bool is_in_one_loop = false;  // a way leads from each to the other
    // The code of the first one's line stands behind the second, too, or the second's before the first: a loop that was
    // unrolled, or a function that was inlined twice.
    bool is_repeated = false;
    bool is_upwards = false;  // the second stands above the first in the source, inlined functions at their calls
};

// The ops of the function that holds one: the first of them, and the one behind the last.
std::pair<std::uint32_t, std::uint32_t> ops_of_function(const machine::Program& program, std::uint32_t op);

// `first` comes before `second`, by op.
CodeOrder code_order(const machine::Program& program, std::uint32_t first, std::uint32_t second);

}  // namespace tilescope
