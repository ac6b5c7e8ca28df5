// What both drawings of a chart share: where a value lies on an axis, which values get a tick, and which parts of a
// curve are inside.
//
// Guarantees: a Scale of any axis is usable (limits that are no limits are replaced by some that are); nothing that it
// returns is NaN or infinite except unit() of a value that has no place. Does not model: pixels or columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/report/chart.h"

namespace tilescope::views {

using namespace report;  // what is printed

struct Tick {
    double at = 0;      // 0 to 1 along the axis
    std::string label;  // empty: a minor one
};

class Scale {
public:
    explicit Scale(const Axis& axis);

    // 0 at the axis' least value, 1 at its most; NaN for a value without a place (not finite, or not above 0 on a
    // logarithmic axis).
    double unit(double value) const;
    bool holds(double value) const;
    // Rising; at most about `max_labels` of them with a label.
    std::vector<Tick> ticks(std::size_t max_labels) const;

private:
    std::vector<Tick> linear_ticks(std::size_t max_labels) const;
    std::vector<Tick> logarithmic_ticks(std::size_t max_labels) const;

    bool logarithmic_;
    double least_, most_;
};

// 0.1, 1, 250, 1k, 1.5k, 100G: short enough for an axis.
std::string tick_label(double value);

struct Point {
    double x = 0, y = 0;
};
using Path = std::vector<Point>;

// The curve in units of both axes, steps drawn out, cut at the borders: pieces that lie within 0 to 1.
std::vector<Path> visible_paths(const Curve& curve, const Scale& x, const Scale& y);

// 0 for A, 25 for Z, then a to z; "*" beyond: the letters of marks.
std::string letter_of(std::size_t index);

}  // namespace tilescope::views
