// The "occupancy" object of a launch, in JSON and out of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scope/report/json_reader.h"
#include "scope/report/profile.h"

namespace tilescope::report {

// What is known of the launch's occupancy; resources that do not bound the blocks are left out of "by".
nlohmann::ordered_json occupancy_json(const LaunchProfile& launch);
// Reads `parent`["occupancy"] where there is one; profiles of earlier versions hold its first four keys only.
void read_occupancy(Reader& reader, const nlohmann::json& parent, const std::string& path, LaunchProfile& launch);

}  // namespace tilescope::report
