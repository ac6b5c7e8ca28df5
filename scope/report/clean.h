// A profile without anything that a terminal would obey.
#pragma once

#include "scope/report/profile.h"

namespace tilescope::report {

// Every text of the profile as safe_text() has it: names of kernels, files and variables, messages. Line feeds stay in
// sentences (messages, hints, reasons) alone. What reads a profile (from_json, read_journal) has done it; what makes
// one in its own process does it before anybody is shown something.
void clean(Profile& profile);

}  // namespace tilescope::report
