// Text as XML may hold it.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::views {

// Markup escaped; bytes that are no UTF-8 and characters that XML forbids become U+FFFD.
std::string svg_escaped(std::string_view text);

}  // namespace tilescope::views
