// Values that are equal for all threads of a launch.
#pragma once

#include <cstddef>
#include <vector>

#include "scope/machine/grid.h"

namespace tilescope::machine {

// Parameters and grid-wide special registers, broadcast to all lanes: the bank kLaunch. `parameters`: where kernels see
// the request's.
std::vector<std::byte> fill_launch_bank(const GridRequest& request, const std::byte* parameters);

}  // namespace tilescope::machine
