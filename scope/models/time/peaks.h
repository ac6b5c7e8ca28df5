// How busy a launch keeps the device's units: modelled.
//
// Owns: note_peaks(), achieved_occupancy(). Guarantees: pure functions; what a unit has to do is what the launch's time
// counts on (stations.h), at the peak rate of the description, over that time and all units of the device, so that SMs
// without work count as idle. Does not model: units that are no station of the time, such as tensor cores.
#pragma once

#include <optional>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

// Shares of peak, and rates in GB/s, of a launch whose time is known.
void note_peaks(const Device& device, const LaunchProfile& launch, TimeProfile& time);

// Warps that an SM has on average while it has any, over those it can hold, as sm__warps_active of a profiler has it.
// Nothing where the launch was not replayed on this device.
std::optional<double> achieved_occupancy(const Device& device, const LaunchProfile& launch);

}  // namespace tilescope::models
