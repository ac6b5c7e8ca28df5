// Launches made up for the tests of advice, and what it says of them.
#pragma once

#include <string>
#include <vector>

#include "scope/models/advice.h"

namespace tilescope::models {

const Device& h200();
// A coalesced copy of a million floats, which nothing can be said against.
LaunchProfile copy();
// Its lines: all counts on one.
LaunchProfile with_line(LaunchProfile launch);

// With its words, as a report would have them.
std::vector<Advice> of_rule(const LaunchProfile& launch, const std::string& rule, const Device& device = h200());
bool fires(const LaunchProfile& launch, const std::string& rule);

}  // namespace tilescope::models
