// The "trace" object of a profile, in JSON and out of it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "scope/report/json_reader.h"
#include "scope/report/phase_table.h"

namespace tilescope::report {

nlohmann::ordered_json phases_json(const PhaseTable& table);
// Reads `parent`["trace"] where there is one.
void read_phases(Reader& reader, const nlohmann::json& parent, std::optional<PhaseTable>& into);

}  // namespace tilescope::report
