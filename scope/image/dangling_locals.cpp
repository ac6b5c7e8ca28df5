#include "scope/image/dangling_locals.h"

#include <algorithm>
#include <set>

namespace tilescope::image {
namespace {

// clang, nvcc's front end, and nvcc's host compiler.
constexpr std::string_view kWarnings[] = {
    "stack memory associated with local variable", "returning pointer to local variable",
    "returning reference to local variable", "address of local variable", "reference to local variable"};

// "a.cu:10" out of "a.cu:10:12: warning: ...", "a.cu(10): warning #1056-D: ...".
std::string place_of(std::string_view line) {
    std::string_view before = line.substr(0, line.find(": warning"));
    if (before.ends_with(')')) {
        const std::size_t open = before.rfind('(');
        if (open == std::string_view::npos) return std::string(before);
        return std::string(before.substr(0, open)) + ":" +
               std::string(before.substr(open + 1, before.size() - open - 2));
    }
    // The column goes.
    const std::size_t column = before.rfind(':');
    if (column != std::string_view::npos && before.rfind(':', column - 1) != std::string_view::npos)
        before = before.substr(0, column);
    return std::string(before);
}

}  // namespace

std::string dangling_locals(std::string_view messages) {
    std::string lines;
    std::set<std::string> known;
    for (std::size_t at = 0; at < messages.size();) {
        const std::size_t end = std::min(messages.find('\n', at), messages.size());
        const std::string_view line = messages.substr(at, end - at);
        at = end + 1;
        const bool is_one = line.find(": warning") != std::string_view::npos &&
                            std::any_of(std::begin(kWarnings), std::end(kWarnings), [&](std::string_view warning) {
                                return line.find(warning) != std::string_view::npos;
                            });
        if (!is_one) continue;
        const std::string place = place_of(line);
        if (!known.insert(place).second) continue;
        lines += place +
                 ": warning: this returns the address of a local variable. The compiler may remove everything that "
                 "uses it, and then --check cannot report it; let the caller own the variable\n";
    }
    return lines;
}

}  // namespace tilescope::image
