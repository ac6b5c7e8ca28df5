// Rows of the text report that draw conclusions: what tiling could save, the next step in occupancy, variables, advice.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/report/profile.h"
#include "scope/views/view.h"

namespace tilescope::views {

// "every byte is asked for 16 times by its block: tiling can save 16×"; empty when the launch loaded nothing, or its
// loads were not looked at.
std::string tiling_text(const LaunchProfile& launch);
// Whether there is something to save worth a row of its own.
bool can_tile(const LaunchProfile& launch);

// "3 registers fewer a thread: 8 blocks an SM"; empty at high occupancy, or when no single change helps.
std::string next_step_text(const LaunchProfile& launch);

// "1,024 sectors of these", beside a row of local memory; or that they are not among the counts. Empty without spills.
std::string spills_text(const LaunchProfile& launch);

// One line of what the kernel names; empty when it names nothing.
std::string variables_summary(const LaunchProfile& launch);
// The table, a line each.
std::vector<std::string> variables_table(const LaunchProfile& launch, std::size_t width);

// What one piece of advice says: a line with rule, place and worth, then its sentences, wrapped.
std::vector<std::string> advice_lines(const Advice& advice, const ViewOptions& options, std::size_t width);

}  // namespace tilescope::views
