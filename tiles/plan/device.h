// The current device, ready for every product: its kernels loaded, their limits of shared memory raised, what `tiles
// tune` measured there read.
#pragma once

#include "tiles/src/problem.h"

namespace tiles {

// Made ready once for each device.
Status current_device(const DeviceProperties** properties);

}  // namespace tiles
