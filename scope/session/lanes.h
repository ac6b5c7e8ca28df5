// Instruction sets that kernels' lanes run with, by the names of the build (baseline, v3 for AVX2, v4 for AVX-512).
#pragma once

#include <string_view>
#include <vector>

namespace tilescope {

struct LaneTargets {
    std::vector<std::string_view> compiled, runnable;  // in this build; of these, on this processor
    std::string_view chosen;                           // the best, or the one that TILESCOPE_SIMD names
};
LaneTargets lane_targets();

}  // namespace tilescope
