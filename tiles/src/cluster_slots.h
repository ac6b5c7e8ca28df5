// How many clusters of a size fit on the device at once. Owns the question to the runtime: the answer depends on how
// many SMs each of the chip's clusters of them has, which no property tells.
#pragma once

#include "tiles/src/problem.h"

namespace tiles {

// Fills in the clusters of 4 and 8 blocks that take an SM each; 0 where nobody can tell.
void count_clusters(DeviceProperties* device);

}  // namespace tiles
