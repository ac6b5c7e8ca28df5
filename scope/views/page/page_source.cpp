#include "scope/views/page/page_source.h"

#include <algorithm>
#include <set>
#include <utility>

#include "scope/report/fold.h"
#include "scope/views/document/groups.h"
#include "scope/views/view.h"

namespace tilescope::views::page {
namespace {

void forget_places(LaunchProfile& launch) {
    launch.lines.clear();
    launch.advice.clear();
    launch.buffers.clear();
    launch.cached_buffers.clear();
    launch.shared_reuse.clear();
    launch.variables.clear();
}

Profile counted_alone(const Profile& profile) {
    Profile counted;
    counted.device = profile.device;
    counted.launches = profile.launches;
    for (LaunchProfile& launch : counted.launches.distinct()) {
        forget_places(launch);
        launch.hazards.clear();
    }
    return counted;
}

}  // namespace

void keep_hazards(std::vector<Hazard>& hazards, std::size_t most, std::string_view what, LeftOut& left) {
    if (hazards.size() <= most) return;
    std::stable_partition(hazards.begin(), hazards.end(),
                          [](const Hazard& hazard) { return hazard.severity == Severity::kError; });
    keep(hazards, most, what, left);
}

PageSource page_source(const Profile& profile) {
    constexpr std::size_t kScreen = 6;
    PageSource source{profile, profile, counted_alone(profile), false, {}};
    Profile& shown = source.shown;
    shown.seconds = 0;
    shown.launches.forget_seconds();
    std::uint64_t passed_over = shown.hazards_passed_over;
    for (LaunchProfile& launch : shown.launches.distinct()) {
        passed_over += launch.hazards_passed_over;
        const std::size_t all = launch.hazards.size();
        keep_hazards(launch.hazards, kMostHazardsShown, kMoreHazards, source.left);
        launch.hazards_passed_over += all - launch.hazards.size();
    }
    if (passed_over != 0) source.left.add(kMoreHazards, passed_over);
    const std::vector<LaunchGroup> groups = group_launches(shown);
    if (groups.size() > kScreen) {
        const std::size_t before = shown.launches.size();
        shown = report::fold(std::move(shown));
        source.is_folded = shown.launches.size() < before;
        if (source.is_folded)
            source.left.say(
                "The launches of each kernel are shown together: sums, with the shape of the one that ran most");
        return source;
    }
    std::set<const LaunchProfile*> first;
    for (const LaunchGroup& group : groups) first.insert(group.launch);
    for (LaunchProfile& launch : shown.launches.distinct())
        if (first.count(&launch) == 0) forget_places(launch);
    return source;
}

}  // namespace tilescope::views::page
