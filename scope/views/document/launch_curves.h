// How a kernel's launches of one shape differ: what its caches have, launch by launch, as a curve.
//
// Owns: launch_curves(). Guarantees: a pure function; a curve is there only where launches differ enough to be worth
// one. Does not model: what the program changed between them.
#pragma once

#include <vector>

#include "scope/report/chart.h"
#include "scope/report/profile.h"

namespace tilescope::views {

std::vector<report::Chart> launch_curves(const Profile& profile);

}  // namespace tilescope::views
