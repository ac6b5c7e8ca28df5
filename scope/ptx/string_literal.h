// The inside of a quoted PTX string, to bytes and back.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::ptx {

// Takes C's escapes (\n, \t, \\, \", octal and \x). A backslash before anything else stands for itself.
std::string unescape(std::string_view text);

// The quoted literal, quotes included, that unescape() turns into `bytes`.
std::string quote(std::string_view bytes);

}  // namespace tilescope::ptx
