// Source lines of host code, for calls that failed and for copies.
//
// Guarantees: never fails; a place whose line is not known (no debug information) stays without.
// Does not model: code that was made while the program ran.
#pragma once

#include <vector>

#include "scope/report/profile.h"

namespace tilescope::cli {

// Fills in file and line from where the calls came: the innermost place that lies in no library's header.
void find_host_lines(std::vector<FailedCall>& calls);
void find_host_lines(std::vector<Transfer>& transfers);

}  // namespace tilescope::cli
