// Where a missing barrier goes, in words.
#pragma once

#include <string>
#include <string_view>

#include "scope/report/profile.h"

namespace tilescope::views::words {

// "add WHAT between line 9 and line 12".
std::string place_of_barrier(const Hazard& hazard, std::string_view what);
// One lane of a warp synchronizes with another warp, and its other lanes do not.
std::string hand_over(const Hazard& hazard);

}  // namespace tilescope::views::words
