// Rates, shares and intensities as rooflines show them, and the names of their roofs.
//
// Guarantees: no locale; a figure that is rounded can be had with the exact one beside it, where that says more.
#pragma once

#include <string>

#include "scope/report/enums.h"

namespace tilescope::report {

// "64" for 64.3, "1.994" and "12.5402": so many significant digits, without zeros at the end and without an exponent.
std::string digits(double value, int count);
// Three digits, with a prefix of the unit: "389 GFLOP/s", "1.56 TB/s".
std::string rate(double value, const std::string& unit);
// Four digits, for what a device's description gives: "1.555 TB/s".
std::string rate_of_roof(double value, const std::string& unit);
// Three digits: "0.25", "12.5", "1.29", "156".
std::string rounded(double value);
// "12.5 FLOP/B (12.5402)": six digits in brackets where three are not all of it.
std::string with_exact(double value, const std::string& unit);
std::string rate_with_exact(double value, const std::string& unit);
// Two digits: "2 %", "0.25 %", "64 %"; and with four digits in brackets: "2 % (1.994 %)".
std::string share(double fraction);
std::string share_with_exact(double fraction);
// "DRAM", "L2", "L1", "shared memory"; a type of arithmetic stays as it is.
std::string roof_name(MemoryLevel level);
std::string roof_name(const std::string& bound);

}  // namespace tilescope::report
