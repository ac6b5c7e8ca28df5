// Chart: curves and marked points over two axes, as plain data.
//
// Owns: Axis, Curve, Mark and Chart. Guarantees: values only; views/chart_text and views/chart_svg draw the same chart
// for a terminal and as a picture. Does not model: what the curves mean (roofline and occupancy build them).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::report {

struct Axis {
    std::string title;  // with its unit: "intensity, FLOP/byte"
    bool logarithmic = false;
    double least = 0, most = 1;  // both above 0 when logarithmic; least < most
};

struct Curve {
    std::string name;                               // written beside it
    std::vector<std::pair<double, double>> points;  // rising x; joined by straight lines in the axes' own scales
    bool stepped = false;                           // holds its value up to the next point
    bool strong = false;                            // one that binds, drawn heavier
};

struct Mark {
    std::string name;
    double x = 0, y = 0;
    bool strong = false;  // the one that the chart is about
};

struct Chart {
    std::string title, subtitle;
    Axis x, y;
    std::vector<Curve> curves;
    std::vector<Mark> marks;
    std::vector<std::string> notes;  // lines below the picture
    // Marks stand as high as they can be at most: nobody knows how high they are. The notes should say so.
    bool at_ceilings = false;
};

}  // namespace tilescope::report
