// The figures that a device file may hold: what each is called, its unit, and where it goes.
//
// Owns: FigureRow and the table that figure_specs() and the loader both read. Guarantees: one row per figure.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "scope/models/device.h"

namespace tilescope::models {

using FigureValues = std::vector<double>;

// store() gets values that are already checked to be finite, not negative, `count` in number (0: any number but
// none), none below `min` or above `max`, and returns false when they do not fit the field.
struct FigureRow {
    FigureSpec spec;
    std::size_t count;
    std::function<bool(Device&, const FigureValues&)> store;
    double max = std::numeric_limits<double>::infinity();  // what a model that goes by it is made for
    double min = 0;
    bool is_rule = false;  // what a file does not say of it is as the file of its compute capability says
};

const std::vector<FigureRow>& figure_rows();

// Those that the models of time go by (device_time_figures.cpp).
void add_time_figures(std::vector<FigureRow>& rows);
// Puts a rate, a share or a wait into its field; false: it is beyond any device.
bool put_figure(double& field, double value);

}  // namespace tilescope::models
