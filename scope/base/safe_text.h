// Text of strangers made fit for a terminal: the one place that does it.
//
// Names out of PTX, profiles, device files and arrays may hold any bytes, and a terminal obeys some of them. Everything
// that a person is shown goes through safe_text(): diagnostics when they are rendered, profiles when they are read or
// finished (report/clean.h), devices when they are loaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilescope {

enum class LineFeeds : std::uint8_t { kEscape, kKeep };

// The text with everything that steers instead of showing written out: control characters as \x1b (also those that
// UTF-8 has from U+0080 on), marks that turn the direction of writing as \u202e, bytes that are no UTF-8 as \xff. Kept
// are tabs and, where asked for, line feeds. Text that is clean comes back as it is, so that cleaning twice is cleaning
// once.
std::string safe_text(std::string_view text, LineFeeds line_feeds = LineFeeds::kEscape);

}  // namespace tilescope
