// A profile as it would be on another device, without a second run.
//
// Owns: on_device() and stand_on(). Guarantees: what does not depend on the device stays as counted; occupancy, waves,
// place under the roofs, advice and time are those of the other device; a note says which counts are still those of the
// first: hits of L1, traffic of L2 and device memory, which hang on the sizes of its caches. Where the other device's
// description lacks a figure that the time needs, there is no time, and a note says which. Does not model: code that
// would be compiled differently for the other device, its registers and spills included.
#pragma once

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

Profile on_device(const Profile& profile, const Device& device);
// Of one launch: the blocks that fit, time and place under the roofs. What was replayed on another device's clock has
// to be gone before.
void stand_on(const Device& device, LaunchProfile& launch);

}  // namespace tilescope::models
