// What a profile says, in words: filled in once, where a run ends, before anybody prints or writes it.
//
// Guarantees: the same facts give the same words. What has no facts keeps its words: faults, which the machine
// describes, and profiles of others.
#pragma once

#include "scope/report/profile.h"

namespace tilescope::views {

void speak(Profile& profile);

}  // namespace tilescope::views
