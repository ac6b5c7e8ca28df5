// What to say of calls of the CUDA runtime that failed.
#pragma once

#include "scope/base/result.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

// Whether a kernel did not run and the program never asked for the error.
bool missed_a_failed_launch(const Profile& profile);

// Failed launches that nobody looked at are errors; those whose error was read are warnings, for a program that prints
// "invalid argument" has not said what was wrong. Other failures whose error nobody read are warnings: the program may
// have looked at what the call returned. Those that it did read are told where it then ended badly, or if `verbose`.
Diagnostics explain_failed_calls(const Profile& profile, bool verbose);

}  // namespace tilescope::cli
