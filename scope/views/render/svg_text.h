// Text as XML may hold it, and its colours.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::views {

inline constexpr const char *kSvgInk = "#1f2933", *kSvgQuiet = "#52606d";

// Markup escaped; bytes that are no UTF-8 and characters that XML forbids become U+FFFD.
std::string svg_escaped(std::string_view text);

}  // namespace tilescope::views
