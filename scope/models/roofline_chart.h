// A roofline as a chart: the slopes and ceilings of a device, and a mark per kernel and level.
#pragma once

#include <string>
#include <vector>

#include "scope/models/roofline.h"
#include "scope/report/chart.h"

namespace tilescope::models {

// A kernel in the chart.
struct Standing {
    std::string name;
    RooflineProfile roofline;
};

// The roof of the first kernel's type is drawn heavily; equal roofs share a line. Marks stand at what was measured,
// else at their ceilings.
report::Chart roofline_chart(const Roofs& roofs, const std::vector<Standing>& kernels);

}  // namespace tilescope::models
