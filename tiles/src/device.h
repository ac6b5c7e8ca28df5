// What the current device is, as the runtime and its code tell it. Owns the questions. Does not prepare any kernel for
// it nor know what was measured there: tiles/plan/device.h does both.
#pragma once

#include "tiles/src/problem.h"

namespace tiles {

// Asked once for each device.
Status read_device(const DeviceProperties** properties);

}  // namespace tiles
