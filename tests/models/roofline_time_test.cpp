// Rooflines of launches whose time is modeled: what binds is what the time goes into.
#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "scope/models/roofline.h"
#include "scope/views/words/verdicts.h"

namespace tilescope::models {
namespace {

using C = Counter;

std::string words_of(const RooflineProfile& roofline) { return views::roofline_verdict(roofline); }

// The naive product of 512 × 512 matrices by 16 × 16 blocks, which DRAM's roof is the lowest of, and one in tiles,
// whose shared memory's is.
LaunchProfile naive_product() {
    LaunchProfile launch;
    launch.grid = {32, 32, 1};
    launch.block = {16, 16, 1};
    launch.counters[C::kFp32Fma] = 134'217'728;
    launch.counters[C::kGlobalLoadBytesRequested] = 1'073'741'824;
    launch.counters[C::kGlobalLoadSectors] = 16'777'216;
    launch.tiling = Tiling{1'073'741'824, 67'108'864};
    return launch;
}
LaunchProfile tiled_product() {
    LaunchProfile launch = naive_product();
    launch.counters[C::kGlobalLoadBytesRequested] = 67'108'864;
    launch.counters[C::kGlobalLoadSectors] = 2'097'152;
    launch.counters[C::kSharedLoadWavefronts] = 6'291'456;
    launch.tiling = Tiling{67'108'864, 67'108'864};
    return launch;
}

// A modelled time that goes into `bound` for the most part.
TimeProfile mostly(TimeBound bound, double microseconds) {
    TimeProfile time;
    time.microseconds = microseconds;
    time.bound = bound;
    time.breakdown[bound] = 0.75 * microseconds;
    time.next_bound = bound == TimeBound::kLaunch ? TimeBound::kLatency : TimeBound::kLaunch;
    time.next_microseconds = 0.25 * microseconds;
    return time;
}

// Wherever the point stands: what is said to bind is what the time goes into, and what is said to help helps with that.
TEST(Roofline, TheTimeHasTheLastWordOnWhatBinds) {
    const Roofs h200 = roofs_of(*load_device("h200"));
    for (const LaunchProfile& counted : {naive_product(), tiled_product()})
        for (std::size_t i = 0; i < kTimeBounds; ++i)
            for (const double microseconds : {1., 20., 60., 400., 1e5}) {
                LaunchProfile launch = counted;
                const auto bound = static_cast<TimeBound>(i);
                launch.time = mostly(bound, microseconds);
                const auto found = roofline(h200, roofline_work(launch));
                ASSERT_TRUE(found && found->facts && found->facts->time);
                EXPECT_EQ(found->facts->time->bound, bound);
                EXPECT_EQ(found->facts->time->kind, kind_of(bound));
                const std::string text = words_of(*found);
                const char* kinds[] = {"Memory-bound", "Compute-bound", "Latency-bound", "Launch-bound",
                                       "Limited by imbalance"};
                for (std::size_t kind = 0; kind < std::size(kinds); ++kind)
                    EXPECT_EQ(text.find(kinds[kind]) != std::string::npos,
                              kind == static_cast<std::size_t>(kind_of(bound)))
                        << text;
                EXPECT_EQ(text.find("only more FLOP per byte help"), std::string::npos) << text;
                EXPECT_EQ(text.find("use that first"), std::string::npos) << text;
                EXPECT_EQ(text.find("reduce waiting first"), std::string::npos) << text;
                const bool moves = bound == TimeBound::kDram || bound == TimeBound::kL2 || bound == TimeBound::kL1;
                EXPECT_TRUE(moves || text.find("The ridge is") == std::string::npos) << text;
            }
}

// How far away the roofs are is told by the bytes that really move.
TEST(Roofline, RoomUpToTheFirstRoofThatAFasterLaunchWouldMeet) {
    LaunchProfile launch = naive_product();
    launch.time = mostly(TimeBound::kLatency, 60);
    const Roofs h200 = roofs_of(*load_device("h200"));
    auto found = roofline(h200, roofline_work(launch));
    EXPECT_EQ(found->facts->room_bound, "") << "what was requested is more than DRAM gives in this time";
    launch.counters.modelled = true;
    launch.counters[C::kL2ReadSectors] = 1'000'000;
    launch.counters[C::kDramReadBytes] = 2'000'000;
    found = roofline(h200, roofline_work(launch));
    // L1 passes 537 MB, at 33.45 TB/s in 16.1 µs.
    EXPECT_EQ(found->facts->room_bound, "l1");
    EXPECT_NEAR(*found->facts->figures.find(RooflineFigure::kRoom), 60 / 16.1, 0.02);
    EXPECT_NE(words_of(*found).find("it could be 3.7× as fast before it reached a roof, that of L1."),
              std::string::npos)
        << words_of(*found);
}

}  // namespace
}  // namespace tilescope::models
