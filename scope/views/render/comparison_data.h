// A comparison as JSON, for what puts it into more.
#pragma once

#include <nlohmann/json.hpp>

#include "scope/report/comparison.h"

namespace tilescope::views {

nlohmann::ordered_json comparison_data(const report::Comparison& comparison);

}  // namespace tilescope::views
