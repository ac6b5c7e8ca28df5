// The figures that a device file may hold: what each is called, its unit, and where it goes.
//
// Owns: FigureRow and the table that figure_kinds() and the loader both read. Guarantees: one row per figure.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "scope/models/device.h"

namespace tilescope::models {

using FigureValues = std::vector<double>;

// store() gets values that are already checked to be finite, not negative, `count` in number (0: any number but
// none) and none above `max`, and returns false when they do not fit the field.
struct FigureRow {
    FigureKind kind;
    std::size_t count;
    std::function<bool(Device&, const FigureValues&)> store;
    double max = std::numeric_limits<double>::infinity();  // what a model that goes by it is made for
};

const std::vector<FigureRow>& figure_rows();

}  // namespace tilescope::models
