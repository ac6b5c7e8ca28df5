// Charts drawn: for a terminal and as SVG.
//
// Guarantees: pure functions; same chart, same bytes; values outside the axes are clipped, not drawn elsewhere; texts
// are escaped. Does not model: interaction.
#pragma once

#include <cstddef>
#include <string>

#include "scope/report/chart.h"

namespace tilescope::views {

using namespace report;  // what is printed

struct ChartTextOptions {
    std::size_t width = 100, height = 24;  // columns and lines of the whole picture
    bool color = false;
};

std::string chart_text(const Chart& chart, const ChartTextOptions& options);
// The same chart as data, for pages that draw it themselves: {"kind": "chart", "title", "subtitle", "x" and "y":
// {"title", "logarithmic", "least", "most"}, "curves": [{"name", "points", "stepped", "strong"}], "marks": [{"name",
// "x", "y", "strong"}], "notes"}.
std::string chart_data(const Chart& chart);
// A complete SVG document of its own, light background, no scripts and no fonts beyond the generic families.
std::string chart_svg(const Chart& chart);

}  // namespace tilescope::views
