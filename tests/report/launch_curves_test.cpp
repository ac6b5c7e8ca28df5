#include "scope/views/document/launch_curves.h"

#include <gtest/gtest.h>

namespace tilescope::views {
namespace {

// A launch whose L2 has so many of its hundred sectors.
LaunchProfile launch_with(std::uint32_t index, std::uint64_t l2_hits) {
    LaunchProfile launch;
    launch.index = index;
    launch.kernel = "sweep(float const*, int)";
    launch.entry = "_Z5sweep";
    launch.counters.modelled = true;
    launch.counters[Counter::kL2ReadSectors] = 100;
    launch.counters[Counter::kL2ReadHitSectors] = l2_hits;
    return launch;
}

Profile profile_of(std::vector<std::uint64_t> hits) {
    Profile profile;
    for (std::size_t i = 0; i < hits.size(); ++i)
        profile.launches.push_back(launch_with(static_cast<std::uint32_t>(i), hits[i]));
    return profile;
}

TEST(LaunchCurves, DrawWhatDiffers) {
    const auto charts = launch_curves(profile_of({90, 60, 10}));
    ASSERT_EQ(charts.size(), 1u);
    EXPECT_EQ(charts[0].title, "sweep: what its caches have, launch by launch");
    ASSERT_EQ(charts[0].curves.size(), 1u) << "L1 was asked for nothing";
    const std::vector<std::pair<double, double>> points = {{0, 90}, {1, 60}, {2, 10}};
    EXPECT_EQ(charts[0].curves[0].points, points);
    EXPECT_EQ(charts[0].x.most, 2);
}

TEST(LaunchCurves, KeepStillWhereNothingDoes) {
    EXPECT_TRUE(launch_curves(profile_of({90, 60})).empty()) << "two are no curve";
    EXPECT_TRUE(launch_curves(profile_of({90, 90, 90, 60})).empty()) << "nor are equal ones";
    EXPECT_TRUE(launch_curves(profile_of({90, 88, 85})).empty()) << "hardly a difference";
    Profile other = profile_of({90, 60, 10});
    other.launches[1].grid = {7, 1, 1};
    EXPECT_TRUE(launch_curves(other).empty()) << "another shape is another matter";
    Profile counted = profile_of({90, 60, 10});
    for (std::size_t i = 0; i < 3; ++i) counted.launches[i].counters.modelled = false;
    EXPECT_TRUE(launch_curves(counted).empty()) << "no caches";
}

}  // namespace
}  // namespace tilescope::views
