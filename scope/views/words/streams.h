// What is said of the host's side: work on streams, what the host itself touches and copies, and what it never frees.
#pragma once

#include <string>

#include "scope/report/profile.h"

namespace tilescope::views::words {

// Of such a case, and of such a remedy (hazards.h).
std::string host_message(const Hazard& hazard);
std::string host_hint(const Hazard& hazard);

}  // namespace tilescope::views::words
