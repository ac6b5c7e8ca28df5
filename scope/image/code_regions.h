// Which blocks of a flow graph run equally often, by the graph alone.
//
// Owns: nothing. Guarantees: two blocks share a region only if every path from the one leads through the other within
// the same turn of the same innermost loop, and the other way round; so whoever runs one runs the other, once. Blocks
// that no root reaches, that never come to an end, or that lie in a graph which is not made of properly nested loops
// stand alone.
// Does not model: lanes of a warp that part and do not meet again.
#pragma once

#include <cstdint>
#include <vector>

namespace tilescope::image {

struct FlowGraph {
    std::vector<std::vector<std::uint32_t>> successors;  // by block
    std::vector<char> ends;                              // by block: whether a thread may end or return there
    std::vector<std::uint32_t> roots;                    // where control comes from outside
};

inline constexpr std::size_t kMaxFlowBlocks = 4096;

// By block, the first block of its region. All blocks stand alone in a graph of more than kMaxFlowBlocks.
std::vector<std::uint32_t> equal_regions(const FlowGraph& graph);

}  // namespace tilescope::image
