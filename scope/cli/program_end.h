// How the host program ended, in the profile's words and in the user's.
#pragma once

#include <string>

#include "scope/cli/child.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

// Fills in Profile::ended, and outcome and diagnostics where a time limit or a signal ended the program. `asked`:
// seconds that --time-limit gave, 0 for none.
void note_end(const ChildEnd& end, double asked, Profile& profile);

// What a shell would return for it.
int status_of(const ChildEnd& end);

}  // namespace tilescope::cli
