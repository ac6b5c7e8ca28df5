// A profile with something of everything, for tests of what prints and parses profiles.
#pragma once

#include "scope/report/profile.h"

namespace tilescope::report {

// Naive and tiled product, a strided copy with spills run three times, and a kernel that faults.
Profile sample_profile();

}  // namespace tilescope::report
