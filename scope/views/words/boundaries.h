// Sentences on checks of an index that were taken out.
//
// Guarantees: pure functions of the facts. Does not model: the facts (cli/boundaries.cpp).
#pragma once

#include <string>

#include "scope/report/boundaries.h"

namespace tilescope::views {

// "3 checks of an index: 2 are missed by a hazard at some size, 1 only by wrong results".
std::string boundaries_summary(const Boundaries& boundaries);
// What the program does as it is.
std::string boundary_size_text(const BoundarySize& size);
// What is different without a check, or why it is not taken out.
std::string boundary_line_text(const Boundaries& boundaries, const BoundaryLine& line);

}  // namespace tilescope::views
