// JSON of what tiling could save: "tiling" of a launch and of its lines. Internal to scope/report.
#pragma once

#include <optional>
#include <string>

#include "scope/report/json_reader.h"
#include "scope/report/profile.h"

namespace tilescope::report {

// With its buffers and shared variables; launch.tiling must be there.
nlohmann::ordered_json launch_tiling_json(const LaunchProfile& launch);
nlohmann::ordered_json tiling_json(const Tiling& tiling);

// The "tiling" of `parent`, a launch or a line, if it has one.
void read_tiling(Reader& reader, const nlohmann::json& parent, const std::string& path, std::optional<Tiling>& into);
void read_launch_tiling(Reader& reader, const nlohmann::json& parent, const std::string& path, LaunchProfile& launch);

}  // namespace tilescope::report
