// What follows a run: the report, the files, the budgets and the exit status.
#pragma once

#include "scope/cli/run_options.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

// How the profile alone decides: kFault, kLimit or kRan; with what the user should read of it.
int status_of(const Profile& profile);
Diagnostics explain_outcome(const Profile& profile, bool verbose = false);

// Prints and writes what the plan asks for. `program_status` is returned when nothing of ours is wrong.
int finish(const RunPlan& plan, Profile profile, int program_status);
// With another text than the report.
int finish(const RunPlan& plan, const Profile& profile, int program_status, const std::string& text);

// "-" is standard output.
Status write_text(const std::string& file, const std::string& text);

}  // namespace tilescope::cli
