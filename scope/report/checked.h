// What --check looked at in a finished run: kinds, and launches wholly, in part or not at all.
#pragma once

#include <optional>

#include "scope/report/profile.h"

namespace tilescope::report {

// Nothing where no check was on.
std::optional<CheckedLaunches> checked_launches(const Profile& profile);

}  // namespace tilescope::report
