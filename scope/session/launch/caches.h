// What a launch is told of the caches, and what is said where they are not modelled.
#pragma once

#include "scope/observers/counting.h"
#include "scope/session/launch/prepare.h"

namespace tilescope {

// Nothing where they are not asked for, or cannot be modelled for this launch. L2 is empty when it begins, unless it is
// to be kept from the launch before. The grid's warps keep time for them.
void add_caches(Prepared& launch, DeviceMemory& device_memory, observers::LaunchContext& context);
// Of a launch that was to have them, and has not.
Diagnostic missing_caches(const Prepared& launch);
// Of a launch whose spills are not in its figures of the caches as often as they run; nothing of others.
std::optional<Diagnostic> missing_spills(const Prepared& launch, const LaunchProfile& profile);

}  // namespace tilescope
