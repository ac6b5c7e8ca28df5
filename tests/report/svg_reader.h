// Reads back the SVG that chart_svg writes: enough to hold its geometry to rules.
//
// Guarantees: any number that is not finite, and any tag that is not closed, is an error. Does not model: styles.
#pragma once

#include <string>
#include <vector>

#include "scope/views/render/chart_labels.h"

namespace tilescope::report {
using namespace views;

struct SvgText {
    std::string words;  // as escaped
    double size = 0;
    Box box;
};
struct SvgPoint {
    Point at;
    std::string element;
};
struct SvgPicture {
    std::string error;  // "" when it could be read
    double width = 0, height = 0;
    std::vector<SvgText> texts;
    std::vector<Path> curves;
    std::vector<SvgPoint> points;  // of every shape
};

SvgPicture read_svg(const std::string& text);

}  // namespace tilescope::report
