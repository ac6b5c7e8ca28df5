// How far a launch is: never backwards, never at the end before the end.
#include "scope/machine/launch_progress.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilescope::machine {
namespace {

constexpr std::chrono::milliseconds kAlways(0);

TEST(LaunchProgress, CountsBlocksAndInstructions) {
    LaunchProgress progress(kAlways);
    std::uint64_t instructions = 0;
    double share = -1;
    progress.set_listener([&](double told, std::uint64_t ran) { share = told, instructions = ran; });
    progress.set_blocks(4);
    progress.tell();
    EXPECT_EQ(share, 0);
    progress.add(1, 100);
    progress.add(1, 50);
    progress.tell();
    EXPECT_DOUBLE_EQ(share, 0.5);
    EXPECT_EQ(instructions, 150U);
    progress.add(2, 0);
    progress.tell();
    EXPECT_LT(share, 1) << "what is left is to add up";
    progress.set_listener({});
    progress.tell();
}

TEST(LaunchProgress, BlocksThatHaveRunAreNotTheEndWhereTheirRequestsAreReplayed) {
    LaunchProgress progress(kAlways);
    progress.set_blocks(2);
    progress.expect_replay();
    progress.add(2, 1);
    const double ran = progress.share();
    EXPECT_LT(ran, 0.5);
    progress.set_replayed(0.5);
    EXPECT_GT(progress.share(), ran);
    EXPECT_LT(progress.share(), 0.9);
    progress.set_replayed(1.5);  // an estimate that was too low
    EXPECT_LT(progress.share(), 1);
}

TEST(LaunchProgress, IsNeverToldToFall) {
    LaunchProgress progress(kAlways);
    std::vector<double> told;
    progress.set_listener([&](double share, std::uint64_t) { told.push_back(share); });
    progress.set_blocks(10);
    progress.expect_replay();
    progress.add(5, 1);
    progress.set_replayed(0.8);
    progress.tell();
    progress.set_replayed(0.3);  // later blocks ask for more than the first ones did
    progress.tell();
    progress.drop_replay();
    progress.add(5, 1);
    progress.tell();
    ASSERT_EQ(told.size(), 3U);
    EXPECT_EQ(told[1], told[0]);
    EXPECT_GT(told[2], told[1]);
}

TEST(LaunchProgress, IsToldNoMoreOftenThanAsked) {
    LaunchProgress progress(std::chrono::hours(1));
    unsigned told = 0;
    progress.set_listener([&](double, std::uint64_t) { ++told; });
    progress.tell();
    EXPECT_EQ(told, 0U);
}

}  // namespace
}  // namespace tilescope::machine
