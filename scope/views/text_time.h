// A launch's modelled time in a line of the text report.
#pragma once

#include <string>

#include "scope/report/profile.h"

namespace tilescope::views {

// "2.4 µs", "12,345 µs".
std::string microseconds_text(double value);
// How long, what most of it is, and the same of what would be left without that.
std::string time_text(const TimeProfile& time);

}  // namespace tilescope::views
