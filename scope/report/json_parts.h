// Parts of a profile in JSON, for the journal of a run (journal.h) and for commands that print one of them. With wall
// times.
#pragma once

#include <nlohmann/json.hpp>

#include "scope/report/profile.h"

namespace tilescope::report {

nlohmann::ordered_json launch_json(const LaunchProfile& launch);
nlohmann::ordered_json hazard_json(const Hazard& hazard);
nlohmann::ordered_json diagnostic_json(const Diagnostic& diagnostic);
nlohmann::ordered_json failed_call_json(const FailedCall& failed);
nlohmann::ordered_json unfinished_json(const UnfinishedLaunch& launch);
nlohmann::ordered_json process_json(const ProcessOfRun& process);
nlohmann::ordered_json transfer_json(const Transfer& transfer);
nlohmann::ordered_json span_json(const TimelineSpan& span);
nlohmann::ordered_json event_times_json(const EventTimes& times);
nlohmann::ordered_json totals_json(const TimelineTotals& totals);
nlohmann::ordered_json pages_json(const PageReport& pages);
nlohmann::ordered_json code_json(const KernelCode& code);
nlohmann::ordered_json code_place_json(const CodePlace& place);
nlohmann::ordered_json phases_json(const PhaseTable& table);
nlohmann::ordered_json roofline_json(const RooflineProfile& roofline);
// The "occupancy" of a launch: resources that do not bound the blocks are left out of "by".
nlohmann::ordered_json occupancy_json(const LaunchProfile& launch);

}  // namespace tilescope::report
