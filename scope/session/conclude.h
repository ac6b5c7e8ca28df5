// What follows from a finished launch: its variables, and advice.
//
// Guarantees: a pure function of what is given, but for the profile that it fills in. Called once per launch that was
// observed, when counters, lines and occupancy are there.
#pragma once

#include "scope/machine/program.h"
#include "scope/models/device.h"
#include "scope/report/profile.h"
#include "scope/session/loaded_module.h"

namespace tilescope {

void conclude(const models::Device& device, const machine::Program& program, const LoadedModule& module,
              LaunchProfile& launch);

}  // namespace tilescope
