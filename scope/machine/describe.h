// Words for messages: threads, lanes and places in the source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scope/machine/program.h"

namespace tilescope::machine {

// "lane 3", "lanes 0-15, 20": numbers in rising order, shortened after the fourth range.
std::string numbered(std::string_view singular, const std::vector<std::uint32_t>& numbers);
std::string lanes_text(std::uint32_t mask);

// "sum.cu:12", or "line 12 of the PTX" where the source is not known.
std::string place_text(const Program& program, std::uint32_t op);

}  // namespace tilescope::machine
