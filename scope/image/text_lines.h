// Reading text line by line; private to this room.
#pragma once

#include <algorithm>
#include <string_view>

namespace tilescope::image {

// Calls f(line) for each line, without its line feed.
template <class F>
void each_line(std::string_view text, F f) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        f(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// Removes `prefix` from the front of `text`; false where it is not there.
inline bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace tilescope::image
