// The loops of a function's control-flow graph, nested.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

struct Loop {
    std::vector<std::uint32_t> blocks;   // ascending
    std::vector<std::uint32_t> headers;  // where it is entered; one, but for code that jumps into loops
};

// All cycles: the strongly connected parts, and again those of each without the ways back to its headers. A loop stands
// before the loops inside it.
std::vector<Loop> find_loops(const FunctionCode& code);

}  // namespace tilescope::isa
