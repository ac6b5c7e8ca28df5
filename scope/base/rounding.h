// Rounding of whole numbers.
#pragma once

#include <cstdint>

namespace tilescope {

// The next multiple of `unit`, which is not 0; `value` itself where it is one.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace tilescope
