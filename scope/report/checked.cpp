#include "scope/report/checked.h"

namespace tilescope::report {

std::optional<CheckedLaunches> checked_launches(const Profile& profile) {
    if (profile.checks.empty()) return std::nullopt;
    CheckedLaunches checked{profile.checks, profile.checks_are_auto, 0, 0, 0};
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const LaunchProfile& launch = profile.launches[i];
        std::uint64_t& count = !launch.observed        ? checked.skipped
                               : launch.blocks_checked ? checked.in_part
                                                       : checked.launches;
        ++count;
    }
    return checked;
}

}  // namespace tilescope::report
