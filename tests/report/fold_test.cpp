// Launches of a kernel as one entry.
#include "scope/report/fold.h"

#include <gtest/gtest.h>

#include "scope/report/json.h"
#include "scope/views/view.h"
#include "tests/report/sample.h"

namespace tilescope::report {
using namespace views;
namespace {

Profile thirty_launches() {
    Profile profile = sample_profile();
    const LaunchProfile naive = profile.launches[0], tiled = profile.launches[1];
    profile.launches.clear();
    for (std::uint32_t i = 0; i < 30; ++i) {
        profile.launches.push_back(i % 3 == 0 ? naive : tiled);
        LaunchProfile& launch = profile.launches.back();
        launch.index = i;
        launch.grid[0] = 32 + i;
        launch.counters[Counter::kGlobalLoadSectors] += i;
    }
    return profile;
}

TEST(Fold, RacesOfOnePairOfLinesAreOne) {
    Profile profile = thirty_launches();
    for (LaunchProfile& launch : profile.launches) {
        Hazard hazard;
        hazard.kind = HazardKind::kRace;
        hazard.order = RaceOrder::kReadAfterWrite;
        hazard.file = hazard.other_file = "a.cu";
        hazard.line = 12;
        hazard.other_line = 11;
        hazard.count = 2;
        hazard.message = "as in launch " + std::to_string(launch.index);
        launch.hazards = {hazard};
        hazard.order = RaceOrder::kWriteAfterRead;
        launch.hazards.push_back(hazard);
    }
    const Profile folded = fold(profile);
    ASSERT_EQ(folded.launches[0].hazards.size(), 2U);
    EXPECT_EQ(folded.launches[0].hazards[0].count, 20U);
}

TEST(Fold, CountersAreSums) {
    Profile profile = thirty_launches();
    for (LaunchProfile& launch : profile.launches) {
        launch.counters.modelled = true;
        launch.launch_read_bytes = 2816;
    }
    const Profile folded = fold(profile);
    ASSERT_EQ(folded.launches.size(), 2U);
    EXPECT_EQ(folded.launches[0].folded, 10U);
    EXPECT_EQ(folded.launches[1].folded, 20U);
    EXPECT_EQ(folded.launches[0].folded_shapes, 10U);
    EXPECT_EQ(folded.launches[1].index, 1U);
    std::uint64_t sectors = 0, requested = 0, own = 0;
    for (const LaunchProfile& launch : profile.launches)
        if (launch.entry == folded.launches[0].entry) {
            own += launch.launch_read_bytes;
            sectors += launch.counters[Counter::kGlobalLoadSectors];
            requested += launch.tiling->requested_bytes;
        }
    EXPECT_EQ(folded.launches[0].counters[Counter::kGlobalLoadSectors], sectors);
    EXPECT_NE(own, 0U);
    EXPECT_EQ(folded.launches[0].launch_read_bytes, own);
    EXPECT_EQ(folded.launches[0].tiling->requested_bytes, requested);
    EXPECT_EQ(folded.launches[0].lines.size(), profile.launches[0].lines.size());
    EXPECT_EQ(folded.launches[0].lines[0].counters[Counter::kFp32Fma],
              10 * profile.launches[0].lines[0].counters[Counter::kFp32Fma]);
    EXPECT_EQ(folded.launches[0].advice[0].saves_bytes, 10 * profile.launches[0].advice[0].saves_bytes);
    EXPECT_EQ(folded.launches[0].advice[0].speedup, profile.launches[0].advice[0].speedup);
}

TEST(Fold, TimesAddUpAndBoundsAreThoseOfTheLongest) {
    Profile profile = thirty_launches();
    double expected = 0;
    for (LaunchProfile& launch : profile.launches) {
        TimeProfile& time = launch.time.emplace();
        time.microseconds = 10. + launch.index;
        time.bound = TimeBound::kDram;
        time.breakdown[TimeBound::kDram] = time.microseconds;
        launch.work.emplace().instructions = 5;
        if (launch.index == 27) time.bound = TimeBound::kLatency;
        if (launch.index % 3 == 0) expected += time.microseconds;
    }
    const Profile folded = fold(profile);
    ASSERT_TRUE(folded.launches[0].time);
    EXPECT_DOUBLE_EQ(folded.launches[0].time->microseconds, expected);
    EXPECT_DOUBLE_EQ(folded.launches[0].time->breakdown[TimeBound::kDram], expected);
    EXPECT_EQ(folded.launches[0].time->bound, TimeBound::kLatency);
    EXPECT_EQ(folded.launches[1].time->bound, TimeBound::kDram);
    EXPECT_DOUBLE_EQ(folded.launches[0].work->instructions, 50);
    // Rates are averages over the time, also of launches that differ in it.
    for (LaunchProfile& launch : profile.launches) {
        launch.time->of_peak.emplace()[TimeBound::kDram] = launch.index < 3 ? 0.9 : 0;
        launch.time->dram_gb_per_second = launch.index < 3 ? 900 : 0;
        launch.achieved_occupancy = launch.index < 3 ? 0.9 : 0;
    }
    const LaunchProfile average = fold(profile).launches[0];
    ASSERT_TRUE(average.time->of_peak && average.achieved_occupancy);
    EXPECT_NEAR((*average.time->of_peak)[TimeBound::kDram], 0.9 * 10 / expected, 1e-12);
    EXPECT_NEAR(average.time->dram_gb_per_second, 900 * 10 / expected, 1e-9);
    EXPECT_NEAR(*average.achieved_occupancy, 0.9 * 10 / expected, 1e-12);
    profile.launches[3].time->of_peak.reset();
    profile.launches[3].achieved_occupancy.reset();
    EXPECT_FALSE(fold(profile).launches[0].time->of_peak) << "of some only";
    EXPECT_FALSE(fold(profile).launches[0].achieved_occupancy);

    // Of launches of which one has no time, the sum would be of some only.
    profile.launches[0].time.reset();
    EXPECT_FALSE(fold(profile).launches[0].time);
}

TEST(Fold, WhatWasModelledOfSomeLaunchesIsNoSumOfAll) {
    Profile profile = thirty_launches();
    for (LaunchProfile& launch : profile.launches) {
        launch.counters.modelled = true;
        launch.counters[Counter::kDramReadBytes] = 32;
        launch.cached_buffers.resize(2);
        launch.cached_buffers[0].name = "M";
        launch.cached_buffers[1].atomic_sectors = 2;
        launch.cached_buffers[1].counters[Counter::kL1MissCapacity] = 5;
    }
    const Profile all = fold(profile);
    EXPECT_TRUE(all.launches[0].counters.modelled);
    EXPECT_EQ(all.launches[0].counters[Counter::kDramReadBytes], 320U);
    ASSERT_EQ(all.launches[0].cached_buffers.size(), 2U);
    EXPECT_EQ(all.launches[0].cached_buffers[1].atomic_sectors, 20U);
    EXPECT_EQ(all.launches[0].cached_buffers[1].counters[Counter::kL1MissCapacity], 50U);
    profile.launches[0].counters.modelled = false;
    const Profile some = fold(profile);
    EXPECT_FALSE(some.launches[0].counters.modelled);
    EXPECT_EQ(some.launches[0].counters[Counter::kDramReadBytes], 0U);
    EXPECT_TRUE(some.launches[0].cached_buffers.empty());
    EXPECT_TRUE(some.launches[1].counters.modelled);
}

TEST(Fold, AdviceSaysWhatItsFigureIsOf) {
    Profile profile = thirty_launches();
    profile.launches[3].advice[0].speedup = 50;
    profile.launches[3].advice[0].message = "the worst of them";
    profile.launches[3].advice[0].facts.figures.set(AdviceFigure::kTimes, 50);
    const Advice advice = fold(profile).launches[0].advice[0];
    EXPECT_EQ(advice.speedup, 50);
    EXPECT_EQ(advice.message, "the worst of them");
    EXPECT_EQ(advice.facts.figures[AdviceFigure::kTimes], 50);
}

TEST(Fold, OneLaunchStaysAsItIs) {
    const Profile profile = sample_profile();
    Profile two = profile;
    two.launches.resize(2);
    EXPECT_EQ(to_json(fold(two)), to_json(two));
}

TEST(Fold, SurvivesTheFile) {
    const Profile folded = fold(thirty_launches());
    const auto again = from_json(to_json(folded), "folded.json");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->launches[1].folded, 20U);
    EXPECT_EQ(to_json(*again), to_json(folded));
}

TEST(Fold, IsTheReportPastAScreen) {
    const Profile profile = thirty_launches();
    const std::string text = text_view(profile, {});
    EXPECT_NE(text.find("(10 launches of 10 shapes"), std::string::npos) << text;
    EXPECT_NE(text.find("30 launches, one summary for each kernel"), std::string::npos) << text;
    ViewOptions verbose;
    verbose.verbose = true;
    EXPECT_EQ(text_view(profile, verbose).find("one summary"), std::string::npos);
    Profile few = profile;
    few.launches.resize(5);
    EXPECT_EQ(text_view(few, {}).find("one summary"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::report
