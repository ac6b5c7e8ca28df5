// A comparison as text or Markdown for people and as JSON for programs.
#pragma once

#include <string>

#include "scope/report/comparison.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;  // what is printed

// Figures that differ; all of them when options.verbose.
std::string comparison_text(const Comparison& comparison, const ViewOptions& options);
std::string comparison_markdown(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace tilescope::views
