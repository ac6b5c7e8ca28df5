#include "scope/views/page/page_limits.h"

#include <algorithm>

#include "scope/report/format.h"

namespace tilescope::views::page {

void LeftOut::add(std::string_view what, std::size_t count) {
    const auto known = std::find_if(counts_.begin(), counts_.end(), [&](const auto& one) { return one.first == what; });
    if (known != counts_.end())
        known->second += count;
    else if (count != 0)
        counts_.emplace_back(what, count);
}

std::uint64_t LeftOut::count_of(std::string_view what) const {
    for (const auto& [name, count] : counts_)
        if (name == what) return count;
    return 0;
}

std::vector<std::string> LeftOut::sentences() const {
    std::vector<std::string> all = said_;
    for (const auto& [what, count] : counts_) {
        // What is counted begins with a small letter.
        const char first = static_cast<char>(what.front() - 'a' + 'A');
        all.push_back(first + what.substr(1) + ": " + report::thousands(count));
    }
    return all;
}

}  // namespace tilescope::views::page
