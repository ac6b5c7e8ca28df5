// Running one golden case.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scope/session/session.h"
#include "tests/golden/case.h"

namespace tilescope::golden {

struct RunOutcome {
    std::string problem;  // the case itself is at fault (no such kernel, arguments that do not fit)
    LaunchStatus status = LaunchStatus::kOk;
    std::optional<Hazard> hazard;
    std::vector<Hazard> told;  // that ended no launch
    Diagnostics errors;
    std::vector<std::vector<std::byte>> buffers;  // per argument; empty for scalars
    CounterSet counters;
    std::string profile;  // JSON
};

const char* name_of(LaunchStatus status);
// As golden files spell it: "out-of-bounds line 17".
std::string name_of(const Failure& failure);
// How the case failed, in these words.
std::vector<std::string> faults_of(const RunOutcome& outcome);
std::vector<std::string> hazards_of(const RunOutcome& outcome);
std::vector<std::string> errors_of(const RunOutcome& outcome);

RunOutcome run_case(const GoldenFile& file, const Case& which, unsigned jobs);

}  // namespace tilescope::golden
