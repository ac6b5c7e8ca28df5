// A phase table as text for a terminal and as a picture.
#pragma once

#include <string>

#include "scope/report/phase_table.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;  // what is printed

std::string phase_text_view(const PhaseTable& table, const ViewOptions& options);
std::string phase_svg_view(const PhaseTable& table, bool everything);

}  // namespace tilescope::views
