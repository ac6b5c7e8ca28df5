// Sentences on what an index does to memory.
//
// Guarantees: pure functions of the facts. Does not model: the facts (scope/explore).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scope/report/pattern.h"

namespace tilescope::views {

// "17 and 32 share no factor: the lanes meet every bank once".
std::string banks_reason(const Pattern& pattern);
std::string sectors_reason(const Pattern& pattern);
// Where each lane's element lies: "lane 0 → 0, lane 1 → 17, ..., lane 31 → 527".
std::string lanes_text(const Pattern& pattern);
// What cures conflicts, or that nothing of what was tried does. Empty where there are none.
std::string padding_text(const Pattern& pattern);
std::string swizzle_text(const Pattern& pattern);

}  // namespace tilescope::views
