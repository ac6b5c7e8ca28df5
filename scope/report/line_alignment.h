// Which line of a source became which: lines move when somebody writes above them.
//
// Owns: align_lines(). Guarantees: a pure function; lines keep their order; a line that counts nothing alike has no
// partner. Does not model: text, which a profile does not have: lines are known by their numbers and by what they
// count.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::report {

// One line on both sides; null where it is not.
using LinePair = std::pair<const LineProfile*, const LineProfile*>;

// Lines of two launches, by file and line. Those of one name in different folders are of one file, and so are those of
// the only file that each side has for itself. Lines that count nothing are left out.
std::vector<LinePair> align_lines(const std::vector<LineProfile>& before, const std::vector<LineProfile>& after);

}  // namespace tilescope::report
