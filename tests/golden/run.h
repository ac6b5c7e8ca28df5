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
    Diagnostics errors;
    std::vector<std::vector<std::byte>> buffers;  // per argument; empty for scalars
    CounterSet counters;
    std::string profile;  // JSON
};

RunOutcome run_case(const GoldenFile& file, const Case& which, unsigned jobs);

}  // namespace tilescope::golden
