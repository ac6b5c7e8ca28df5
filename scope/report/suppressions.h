// Suppressions: hazards that a user has looked at and does not want to be told of again.
//
// Owns: Suppression, their text form, and hide(). Guarantees: faults are never hidden, and what is hidden is counted.
// A line of a file is "KIND [FILE [KERNEL [LINES]]]": patterns with * and ?, a kernel as --kernel takes it, lines as 12
// or 10-20; # begins a comment. In the source a comment "tilescope: ignore KIND" (or "ignore all") hides hazards that
// have an end on its line. Does not model: kernels whose names have spaces; take ? for each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/profile.h"
#include "scope/report/source_text.h"

namespace tilescope::report {

struct Suppression {
    std::string kind = "*", file = "*", kernel = "*";  // patterns
    std::uint32_t first_line = 0, last_line = ~0u;
};

// `name` is the file's, for what is wrong with it.
Result<std::vector<Suppression>> parse_suppressions(std::string_view text, const std::string& name);

// What --check found and the kernel, or host code, went on from.
bool is_finding(const Hazard& hazard);

// Whether some thread did it: that a condition leads to a barrier is said of all.
bool is_of_thread(const Hazard& hazard);

// Takes what is suppressed out of the profile, and adds to Profile::suppressed.
void hide(const std::vector<Suppression>& suppressions, SourceText& source, Profile& profile);

}  // namespace tilescope::report
