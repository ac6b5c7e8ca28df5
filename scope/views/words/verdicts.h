// Verdicts in words: of a roofline, and of the blocks that an SM holds.
//
// Guarantees: every figure in the words is one of the facts, rounded; the same facts give the same words. Does not
// model: what binds (models/roofline_verdict.h), or which rule leaves room for fewer blocks
// (models/occupancy_textbook.h).
#pragma once

#include <string>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::views {

// What binds, how far from the ridge, and what would move it. Whole sentences; empty where there are no facts.
std::string roofline_verdict(const RooflineProfile& roofline);
// For a chart whose points have no time.
std::string ceilings_note();

// Which rules of the hardware leave room for fewer blocks than the textbook's division: one sentence, without a capital
// and a full stop. Empty without any.
std::string occupancy_difference(const std::vector<OccupancyReason>& reasons);

// Fills in the words of a launch that it does not have yet.
void speak_verdicts(LaunchProfile& launch);

}  // namespace tilescope::views
