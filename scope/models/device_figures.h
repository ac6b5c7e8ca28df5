// The figures that a device file may hold: what each is called, its unit, and where it goes.
//
// Owns: FigureRow and the table that figure_specs() and the loader both read. Guarantees: one row per figure.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
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
// Those of the theme kCaches.
std::vector<FigureRow> hierarchy_figure_rows();

// Of a wait: far beyond any device's, and near enough for a replay to walk through.
inline constexpr double kMaxCycles = 1 << 16;

// Into a field of a device; false when it does not fit.
template <class T>
bool put(T& field, double value) {
    if constexpr (std::is_integral_v<T>) {
        // 2^53: integers beyond it have lost digits on their way through JSON's doubles.
        constexpr double kExact = 9007199254740992.0;
        if (value != std::floor(value) || value > kExact) return false;
        if (value > static_cast<double>(std::numeric_limits<T>::max())) return false;
    } else if (value != 0) {
        // Far beyond any device, and near enough for what is worked out from several of them to stay a number.
        constexpr double kLeast = 1e-6, kMax = 1e21;
        if (value < kLeast || value > kMax) return false;
    }
    field = static_cast<T>(value);
    return true;
}

// Addresses of shared memory keep their banks: a block's first byte has a multiple of what all banks hold.
inline constexpr std::uint32_t kBankRow = 128;            // geometry: bytes of all banks
inline constexpr std::uint32_t kMaxSharedBase = 1 << 16;  // numeric: far beyond any device's

// Those that the models of time go by (device_time_figures.cpp).
void add_time_figures(std::vector<FigureRow>& rows);

}  // namespace tilescope::models
