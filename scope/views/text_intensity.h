// Rows of the text report on a launch's arithmetic against the bytes it asked for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scope/views/text_launch.h"

namespace tilescope::views {

// "2.00 FLOP/B asked for in fp32 (16.0x naive); the h200 needs 13.9 in fp32 to be compute-bound", in lines of `room`
// columns, and how much of the arithmetic is on padding where that is worth a line. What a launch without arithmetic
// asked for instead. At least one line.
std::vector<std::string> intensity_lines(const TextContext& context, const LaunchProfile& launch, std::size_t room);

}  // namespace tilescope::views
