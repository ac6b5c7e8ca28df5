// What follows a run: the report, the files, the budgets and the exit status.
#pragma once

#include "scope/cli/command.h"
#include "scope/cli/run_options.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

// How the profile alone decides: kFault, kLimit, kHazard or kRan; with what the user should read of it. is_strict:
// hazards that are warnings count as errors do.
int status_of(const Profile& profile, bool is_strict = false);
Diagnostics explain_outcome(const Profile& profile, bool verbose = false);

// What views are told of a run that begins now.
views::RunInvocation begun(const Invocation& invocation);

// Prints and writes what the plan asks for. `program_status` is returned when nothing of ours is wrong.
int finish(const RunPlan& plan, Profile profile, int program_status);
// With another text than the report.
int finish(const RunPlan& plan, Profile profile, int program_status, const std::string& text);

// Before anything runs: the files that were asked for can be written, and hold from now on that the run has not ended,
// whatever becomes of us. An older profile survives no run.
Status claim_outputs(const RunPlan& plan);

// The run came to nothing: says why, and leaves it as data in the files that were asked for. Returns the status.
// `ended` is how the host program did, where there was one.
int give_up(const RunPlan& plan, const Diagnostics& errors, int status, const std::string& ended = {});
// The same where the options themselves are wrong.
int give_up(const RunOptions& options, const std::string& program, const Diagnostics& errors);

// "-" is standard output.
Status write_text(const std::string& file, const std::string& text);

}  // namespace tilescope::cli
