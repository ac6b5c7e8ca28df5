// The instruction sets that lane code was compiled for, and the one that is used.
#pragma once

#include <string_view>
#include <vector>

namespace tilescope::machine {

// The targets in this build, the widest last.
const std::vector<std::string_view>& compiled_targets();
// Those that this processor can run, best last; "baseline" is there unless it was built for one
// machine alone. The program ends with a message where it can run none.
const std::vector<std::string_view>& runnable_targets();
// The best of them, or the one that TILESCOPE_SIMD names.
std::string_view chosen_target();

}  // namespace tilescope::machine
