// The "roofline" object of a launch, in JSON and out of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scope/report/json_reader.h"
#include "scope/report/profile.h"

namespace tilescope::report {

nlohmann::ordered_json roofline_json(const RooflineProfile& roofline);
// Reads `parent`["roofline"] where there is one.
void read_roofline(Reader& reader, const nlohmann::json& parent, const std::string& path, LaunchProfile& launch);

}  // namespace tilescope::report
