// The parts of a profile that its JSON and the journal of a run (journal.h) both hold.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scope/report/json_reader.h"
#include "scope/report/profile.h"

namespace tilescope::report {

nlohmann::ordered_json launch_json(const LaunchProfile& launch, bool with_times);
nlohmann::ordered_json hazard_json(const Hazard& hazard);
nlohmann::ordered_json diagnostic_json(const Diagnostic& diagnostic);
nlohmann::ordered_json failed_call_json(const FailedCall& failed);
nlohmann::ordered_json unfinished_json(const UnfinishedLaunch& launch);

// `path` is that of the object, for errors: "launches[3].".
LaunchProfile read_launch(Reader& reader, const nlohmann::json& json, const std::string& path);
Hazard read_hazard(Reader& reader, const nlohmann::json& json, const std::string& path);
Diagnostic read_diagnostic(Reader& reader, const nlohmann::json& json, const std::string& path);
FailedCall read_failed_call(Reader& reader, const nlohmann::json& json, const std::string& path);
UnfinishedLaunch read_unfinished(Reader& reader, const nlohmann::json& json, const std::string& path);

}  // namespace tilescope::report
