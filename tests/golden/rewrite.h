// Putting what came out into a golden file, where that is ours to say.
//
// Guarantees: expectations of a case that was measured on hardware stay as they are; its counters, faults and errors
// are ours and follow.
#pragma once

#include <string>
#include <vector>

#include "tests/golden/run.h"

namespace tilescope::golden {

// The file's lines with the outcomes of its cases, in their order.
std::vector<std::string> rewritten(const GoldenFile& file, const std::vector<RunOutcome>& outcomes);

// Runs all cases and rewrites the file. Does nothing to one that does not read.
void rewrite_file(const std::string& path);

}  // namespace tilescope::golden
