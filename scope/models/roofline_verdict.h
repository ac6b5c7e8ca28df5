// A roofline in words, and numbers as those words show them.
//
// Guarantees: every figure in the words follows from the roofline it is given; where a figure is rounded and the exact
// one says more, both are there. Does not model: anything; it only speaks.
#pragma once

#include <string>

#include "scope/models/roofline.h"

namespace tilescope::models {

// What binds, how far from the ridge, and what would move it. Whole sentences.
std::string verdict(const Roofs& roofs, const RooflineWork& work, const RooflineProfile& roofline);

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

}  // namespace tilescope::models
