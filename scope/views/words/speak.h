// Words for what a run found: the one place that fills the texts of a profile.
//
// Guarantees: a text that is there already stays, so that a profile that was read says what it said.
#pragma once

#include "scope/report/profile.h"

namespace tilescope::views {

// Called before a profile is shown or written.
void speak(Profile& profile);

}  // namespace tilescope::views
