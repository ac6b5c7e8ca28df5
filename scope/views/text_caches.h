// Rows of the text report on what the caches did: why loads missed, and what was moved of each buffer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::views {

// "L1 93 % first touch, 7 % capacity; L2 all first touch"; empty when nothing was missed.
std::string misses_text(const CounterSet& counters);
// "97 % of L1's in N"; empty when no buffer stands out.
std::string missed_buffer_text(const LaunchProfile& launch);
// Whether the line's loads miss so much of what the launch's do, and that again, that its reasons are worth a row.
bool is_worth_reasons(const LaunchProfile& launch, const LineProfile& line);
// The table, a line each; with the reasons below each buffer.
std::vector<std::string> buffers_table(const LaunchProfile& launch, std::size_t width);
// "8,192 B read, 50 % of them asked for by nobody"
std::string memory_text(const CounterSet& counters);

}  // namespace tilescope::views
