// Parts of a SARIF document. For sarif.cpp and sarif_run.cpp alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scope/views/view.h"

namespace tilescope::views {

using SarifJson = nlohmann::ordered_json;

// A file, and the line where that is not 0.
SarifJson sarif_place(const std::string& file, std::uint32_t line);
// The run itself: how it was called, how it ended, and what went wrong beside what the results say.
SarifJson sarif_invocation(const Profile& profile, const std::optional<RunInvocation>& run);

}  // namespace tilescope::views
