// What a page tells of a profile, cut where it is long.
//
// Guarantees: the same profile gives the same; how much went is noted. Does not model: which launches have sections
// (views/document).
#pragma once

#include "scope/report/profile.h"
#include "scope/views/page/page_limits.h"
#include "scope/views/page/page_source.h"

namespace tilescope::views::page {

Profile kept_profile(const PageSource& source, const PageLimits& limits, LeftOut& left);

// Of so many launches that are shown, the lines that moved most of each.
void keep_lines(Profile& profile, std::size_t shown, const PageLimits& limits, LeftOut& left);

// The PTX of what is shown: of these launches' kernels and lines.
void keep_code(Profile& profile, const PageLimits& limits, LeftOut& left);

}  // namespace tilescope::views::page
