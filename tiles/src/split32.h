// Factors of tf32 products prepared in the workspace. Owns: their layout and launch. Does not decide when it is needed.
#pragma once

#include "tiles/src/hopper_maps.h"

namespace tiles {

// Writes `from` (or, with `transpose`, its transpose) rounded to tf32 to `high` and the rounded rest to `low`, which
// may be null. Both have the pitch and stride of `to`, whose base is not used.
Status launch_split32(const hopper::Plane& from, bool transpose, const hopper::Plane& to, float* high, float* low,
                      cudaStream_t stream);

}  // namespace tiles
