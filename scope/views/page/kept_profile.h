// What a page tells of a profile: folded where the report is, cut where it is long.
//
// Guarantees: the same profile gives the same; wall times are gone; counts of what went are noted. Does not model:
// which launches have sections (views/document).
#pragma once

#include "scope/report/profile.h"
#include "scope/views/page/page_limits.h"

namespace tilescope::views::page {

Profile kept_profile(const Profile& profile, const PageLimits& limits, LeftOut& left);

// Of so many launches that are shown, the lines that moved most of each.
void keep_lines(Profile& profile, std::size_t shown, const PageLimits& limits, LeftOut& left);

}  // namespace tilescope::views::page
