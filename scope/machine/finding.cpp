#include "scope/machine/finding.h"

#include <algorithm>
#include <iterator>

namespace tilescope::machine {
namespace {

bool earlier(const Finding& a, const Finding& b) {
    return std::lexicographical_compare(std::rbegin(a.block), std::rend(a.block), std::rbegin(b.block),
                                        std::rend(b.block));
}

}  // namespace

void Findings::merge(const Findings& other) {
    for (const auto& [key, theirs] : other.all_) {
        auto [at, is_new] = all_.try_emplace(key, theirs);
        if (is_new) continue;
        const std::uint64_t count = at->second.count + theirs.count;
        if (earlier(theirs, at->second)) at->second = theirs;
        at->second.count = count;
    }
}

}  // namespace tilescope::machine
