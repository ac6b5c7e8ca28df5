// Launches that a reader would call the same: one after another, same kernel, shape and counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::views {

struct LaunchGroup {
    const LaunchProfile* launch = nullptr;  // the first
    std::size_t count = 1;
    std::uint32_t index = 0;  // of the first
};

// Launches that were not observed are left out.
std::vector<LaunchGroup> group_launches(const Profile& profile);

// The lines of a launch that moved most bytes, largest first; at most `most`. When nothing moved any, those that ran
// most instructions.
struct HotLine {
    const LineProfile* line = nullptr;
    double share = 0;
    bool of_traffic = true;  // else of instructions
};
std::vector<HotLine> hot_lines(const LaunchProfile& launch, std::size_t most);

// The line that counted most of one counter; null when none did.
const LineProfile* line_of_most(const LaunchProfile& launch, Counter counter);

}  // namespace tilescope::views
