// What moving a launch's bytes costs on a device: bytes by level times what its description says a byte costs there.
//
// Owns: energy(). Guarantees: a pure function; nothing for a launch without modelled caches, or a device that knows no
// level's cost; a level that is not known is listed without one and counts for nothing. An estimate: a byte costs the
// same whatever moves beside it, what waits costs nothing, and a thread's instruction reads two operands and writes a
// result. Does not model: arithmetic apart from its registers, and what the device draws while it does nothing.
#pragma once

#include <optional>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

std::optional<EnergyProfile> energy(const Device& device, const LaunchProfile& launch);

}  // namespace tilescope::models
