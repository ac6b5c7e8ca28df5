// The PTX of a kernel by the lines of its source, for who wants to see it beside them.
//
// Owns: KernelCode. Guarantees: instructions stand in the order of the PTX, each once. Does not model: kernels whose
// code names no lines: a profile has theirs as lines of PTX.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope {

struct LineCode {
    std::string file;  // as of LineProfile
    std::uint32_t line = 0;
    std::vector<std::string> instructions{};
    bool operator==(const LineCode&) const = default;
};

struct KernelCode {
    std::string entry;               // as in the PTX
    std::vector<LineCode> lines{};   // by file, then line
    std::uint64_t left_out = 0;      // instructions that are too many for a profile
    bool is_one_of_several = false;  // other code of the run has a kernel of that name, too
    bool operator==(const KernelCode&) const = default;
};

}  // namespace tilescope
