#include "scope/session/lanes.h"

#include "scope/machine/simd/targets.h"

namespace tilescope {

LaneTargets lane_targets() {
    return {machine::compiled_targets(), machine::runnable_targets(), machine::chosen_target()};
}

}  // namespace tilescope
