// What `tilescope pattern` prints: text and JSON of a Pattern.
//
// Guarantees: pure functions of it; the text is at most 100 columns wide. Does not model: anything.
#pragma once

#include <string>

#include "scope/report/pattern.h"

namespace tilescope::cli {

struct PatternTextOptions {
    bool color = false;
    bool verbose = false;  // pictures in full
};

std::string pattern_text(const Pattern& pattern, const PatternTextOptions& options);
std::string pattern_json(const Pattern& pattern);
// Sectors and banks as one picture each; "banks" false: sectors.
std::string pattern_svg(const Pattern& pattern, bool banks);

}  // namespace tilescope::cli
