// Numbers of threads, lanes and the like, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope {

// "lane 3", "lanes 0-15, 20": numbers in rising order, shortened after the fourth range.
std::string numbered(std::string_view singular, const std::vector<std::uint32_t>& numbers);

}  // namespace tilescope
