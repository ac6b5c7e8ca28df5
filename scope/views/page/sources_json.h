// The text of the sources that a page points into.
//
// Guarantees: only files whose names end as sources do: a profile may be anybody's, and a page is handed on. Does not
// model: whether a file changed since it was compiled.
#pragma once

#include <string>
#include <vector>

#include "scope/report/profile.h"
#include "scope/views/page/json_tools.h"

namespace tilescope::views::page {

Json sources_json(const Profile& profile, const std::vector<std::string>& directories, const PageLimits& limits,
                  LeftOut& left);

}  // namespace tilescope::views::page
