// Everything a profile says of one kernel's occupancy.
#pragma once

#include "scope/models/occupancy.h"
#include "scope/models/occupancy_steps.h"
#include "scope/report/profile.h"

namespace tilescope::models {

OccupancyProfile occupancy_profile(const Device& device, const KernelResources& kernel,
                                   SharedScaling scaling = SharedScaling::kPerBlock);

}  // namespace tilescope::models
