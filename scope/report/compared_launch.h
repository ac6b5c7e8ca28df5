// Two launches that belong together, side by side. For comparison.cpp alone.
#pragma once

#include <vector>

#include "scope/report/comparison.h"

namespace tilescope::report {

ComparedLaunch compare_launches(const LaunchProfile& before, const LaunchProfile& after);
// Says of each figure when it was not counted.
void mark_origins(const LaunchProfile& before, const LaunchProfile& after, std::vector<ComparedFigure>& figures);
// Of the program rather than of a launch.
void compare_host_hazards(const Profile& before, const Profile& after, Comparison& comparison);
std::vector<ComparedFinding> compare_advice(const std::vector<Advice>& before, const std::vector<Advice>& after);

}  // namespace tilescope::report
