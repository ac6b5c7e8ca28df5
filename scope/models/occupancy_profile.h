// Everything a profile says of one kernel's occupancy.
#pragma once

#include <optional>

#include "scope/models/occupancy.h"
#include "scope/models/occupancy_steps.h"
#include "scope/report/profile.h"

namespace tilescope::models {

OccupancyProfile occupancy_profile(const Device& device, const KernelResources& kernel,
                                   SharedScaling scaling = SharedScaling::kPerBlock);

// How so many blocks come to the device. Nothing when not one fits.
std::optional<OccupancyWaves> waves_of(const Device& device, std::uint32_t blocks_per_sm, std::uint64_t blocks);

}  // namespace tilescope::models
