// A CUDA program run to its end under our runtime, and the profile it leaves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scope/cli/command.h"
#include "scope/cli/run_options.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

struct ProgramRun {
    Profile profile;
    int status = 0;  // the program's own
};

// programs: source files that become one program, or an executable; none: the invocation's arguments are a program that
// starts others, and all its processes are followed. Fills in what the plan lacks: names and places of
// sources. Nothing when there is no profile: what went wrong is told by then, and `status` is what to exit with.
std::optional<ProgramRun> run_program(const std::vector<std::string>& programs, const RunOptions& options,
                                      RunPlan& plan, const Invocation& invocation, int& status);

}  // namespace tilescope::cli
