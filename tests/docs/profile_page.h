// docs/reference/profile.md, made from the descriptions of the profile's structs (scope/report/fields_*.h).
#pragma once

#include <string>

namespace tilescope::docs {

// The whole page.
std::string profile_page();

}  // namespace tilescope::docs
