// What a page tells of a comparison.
#pragma once

#include "scope/report/comparison.h"
#include "scope/views/page/page_limits.h"

namespace tilescope::views::page {

// The pairs of launches, lines and findings that changed most; what went is noted.
report::Comparison kept_comparison(const report::Comparison& comparison, const PageLimits& limits, LeftOut& left);

}  // namespace tilescope::views::page
