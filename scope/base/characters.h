// Kinds of characters, of ASCII alone and whatever the locale.
#pragma once

namespace tilescope {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace tilescope
