// What is good and what is poor, at both sides of each threshold.
#include "scope/models/verdicts.h"

#include <gtest/gtest.h>

namespace tilescope::models {
namespace {

using C = Counter;

TEST(Verdicts, RequestsAreHeldToWhatTheirBytesNeed) {
    EXPECT_EQ(sectors_verdict(4, 0).grade, Grade::kNone) << "no ideal is known";
    EXPECT_EQ(sectors_verdict(4, 4).grade, Grade::kGood);
    EXPECT_EQ(sectors_verdict(5, 4).grade, Grade::kGood) << "the ends of a row that is not aligned";
    EXPECT_TRUE(sectors_verdict(5.1, 4).is_poor());
    EXPECT_EQ(sectors_verdict(32, 4).why, Why::kScattered);
}

// What a launch is bound by is what most of its time goes into, in every view.
TEST(Verdicts, WhatBindsIsTheLargestPartOfTheTime) {
    TimeProfile time;
    time.microseconds = 10;
    time.bound = TimeBound::kL1;
    time.breakdown[TimeBound::kL1] = 6;
    time.next_bound = TimeBound::kLatency;
    time.next_microseconds = 5;
    const LaunchBinding binding = binding_of(time);
    EXPECT_EQ(binding.kind, BoundKind::kMemory);
    EXPECT_EQ(binding.bound, TimeBound::kL1);
    EXPECT_DOUBLE_EQ(binding.share, 0.6);
    EXPECT_EQ(binding.next_bound, TimeBound::kLatency);
    EXPECT_TRUE(binding.fewer_bytes_help);
    // Where nothing that moves loads binds, fewer bytes for each operation bring nothing.
    for (const TimeBound bound : {TimeBound::kLatency, TimeBound::kLaunch, TimeBound::kImbalance, TimeBound::kAtomics,
                                  TimeBound::kIssue, TimeBound::kFp32}) {
        time.bound = bound;
        EXPECT_FALSE(binding_of(time).fewer_bytes_help) << report::name_of(bound);
    }
    EXPECT_EQ(binding_of(TimeProfile{}).share, 0) << "a launch without a time";
}

TEST(Verdicts, TheRidgeDecidesOnlyWhereTheTimeAgrees) {
    LaunchProfile launch;
    EXPECT_TRUE(does_ridge_decide(launch, true) && does_ridge_decide(launch, false)) << "nobody knows better";
    launch.time.emplace().bound = TimeBound::kLatency;
    EXPECT_FALSE(does_ridge_decide(launch, true)) << "beyond the ridge, and not bound by arithmetic";
    EXPECT_TRUE(does_ridge_decide(launch, false));
    launch.time->bound = TimeBound::kFp32;
    EXPECT_TRUE(does_ridge_decide(launch, true));
    EXPECT_FALSE(does_ridge_decide(launch, false)) << "short of the ridge, and bound by arithmetic: caches catch bytes";
}

TEST(Verdicts, BanksAndConstants) {
    EXPECT_EQ(bank_verdict(0).grade, Grade::kGood);
    EXPECT_EQ(bank_verdict(1).why, Why::kBanksMeet);
    EXPECT_EQ(constant_verdict(1).grade, Grade::kGood);
    EXPECT_EQ(constant_verdict(32).why, Why::kAddressesDiffer);
    EXPECT_EQ(constant_cache_verdict(0.9).grade, Grade::kGood);
    EXPECT_EQ(constant_cache_verdict(0.1).why, Why::kConstantsMiss);
}

TEST(Verdicts, Lanes) {
    CounterSet c;
    EXPECT_EQ(lanes_verdict(c).grade, Grade::kNone) << "nothing ran";
    c[C::kInstructions] = 100;
    c[C::kThreadInstructions] = 3200;
    EXPECT_EQ(lanes_verdict(c).grade, Grade::kGood);
    c[C::kBranches] = 100;
    c[C::kDivergentBranches] = 6;
    EXPECT_EQ(lanes_verdict(c).why, Why::kBranchesPart);
    EXPECT_FALSE(lanes_verdict(c).is_poor());
    c[C::kThreadInstructions] = 1600;
    EXPECT_EQ(lanes_verdict(c).why, Why::kLanesIdle);
    EXPECT_TRUE(lanes_verdict(c).is_poor());
}

TEST(Verdicts, Reuse) {
    LaunchProfile launch;
    EXPECT_EQ(reuse_verdict(launch), ReuseVerdict::kUnknown);
    launch.tiling = Tiling{1000, 1000};
    EXPECT_EQ(reuse_verdict(launch), ReuseVerdict::kNone);
    launch.tiling = Tiling{1050, 1000};
    EXPECT_EQ(reuse_verdict(launch), ReuseVerdict::kLittle);
    launch.tiling = Tiling{16'000, 1000};
    EXPECT_EQ(reuse_verdict(launch), ReuseVerdict::kEven);
    launch.buffers = {{0, "a", 4000, {994, 994}}, {1, "x", 4000, {15'006, 6}}};
    EXPECT_EQ(reuse_verdict(launch), ReuseVerdict::kUneven);
    launch.tiling->own_share = 0.95;
    EXPECT_EQ(reuse_verdict(launch), ReuseVerdict::kOwn);
    launch.tiling->register_share = 0.95;
    EXPECT_EQ(reuse_verdict(launch), ReuseVerdict::kOwnInRegisters);
}

TEST(Verdicts, PaddingThatFillsTiles) {
    LaunchProfile launch;
    EXPECT_EQ(unfilled_share(launch), 0);
    LineProfile& line = launch.lines.emplace_back();
    line.counters[C::kSharedStoreBytesRequested] = 1000;
    line.counters[C::kGlobalLoadBytesRequested] = 995;
    EXPECT_EQ(unfilled_share(launch), 0) << "half a percent";
    line.counters[C::kGlobalLoadBytesRequested] = 900;
    EXPECT_DOUBLE_EQ(unfilled_share(launch), 0.1);
    line.counters[C::kGlobalLoadBytesRequested] = 400;
    EXPECT_EQ(unfilled_share(launch), 0) << "no load of a tile";
}

TEST(Verdicts, AGainNeedsTheSameWork) {
    LaunchProfile first, launch;
    first.counters[C::kFp32Fma] = launch.counters[C::kFp32Fma] = 1000;
    first.counters[C::kGlobalLoadBytesRequested] = 16'000;
    launch.counters[C::kGlobalLoadBytesRequested] = 1000;
    EXPECT_DOUBLE_EQ(intensity_gain(launch, first), 16);
    launch.counters[C::kFp32Fma] = 1100;
    EXPECT_EQ(intensity_gain(launch, first), 0);
    launch.counters = first.counters;
    EXPECT_EQ(intensity_gain(launch, first), 0) << "no difference";
}

TEST(Verdicts, AdviceAndMisses) {
    EXPECT_TRUE(is_occupancy_low(0.75));
    EXPECT_FALSE(is_occupancy_low(0.76));
    EXPECT_FALSE(is_worth_reasons(100, 0, 100)) << "all of them: the launch says it";
    EXPECT_TRUE(is_worth_reasons(50, 10, 100));
    EXPECT_FALSE(is_worth_reasons(50, 49, 100)) << "first touches need no reason";
    Advice advice;
    EXPECT_FALSE(promises_speed(advice));
    EXPECT_FALSE(tells_time(advice));
    advice.speedup = 1.5;
    advice.saves_microseconds = 0.2;
    EXPECT_TRUE(promises_speed(advice));
    EXPECT_TRUE(tells_time(advice));
}

TEST(Verdicts, UnitsAndParts) {
    EXPECT_TRUE(is_near_peak(0.6));
    EXPECT_FALSE(is_near_peak(0.59));
    EXPECT_TRUE(is_part_seen(0.05));
    EXPECT_FALSE(is_part_seen(0.049));
}

TEST(Verdicts, WhatRulesAProgram) {
    using R = ProgramRuler;
    Profile profile;
    EXPECT_FALSE(program_verdict(profile)) << "no time line";
    TimelineTotals& line = profile.timeline_totals.emplace();
    EXPECT_FALSE(program_verdict(profile)) << "an empty one";
    line.microseconds = 1000;
    line.kernels = 400;
    line.copies = 500;
    const auto is = [&](R ruler, double microseconds) {
        const auto verdict = program_verdict(profile);
        return verdict && verdict->ruler == ruler && verdict->microseconds == microseconds &&
               verdict->share == microseconds / 1000;
    };
    EXPECT_TRUE(is(R::kCopies, 500));
    line.copies = 499;
    EXPECT_FALSE(program_verdict(profile)) << "nothing takes half of it";
    line.copies = 600;
    line.hidden = 200;
    EXPECT_FALSE(program_verdict(profile)) << "what is hidden behind kernels is theirs";
    line.kernels = 700;
    EXPECT_TRUE(is(R::kKernels, 700));
    profile.pages.emplace().total.device_stall_microseconds = 650;
    EXPECT_TRUE(is(R::kPages, 650)) << "most of that is waiting for pages";
    profile.pages.reset();
    line.kernels = 100;
    line.copies = line.hidden = 0;
    EXPECT_TRUE(is(R::kIdle, 900));
    profile.pages.emplace().total.host_stall_microseconds = 600;
    EXPECT_TRUE(is(R::kPages, 600)) << "the host's waiting, too";
    line.until = 2;
    EXPECT_FALSE(program_parts(profile)) << "a kernel has no time, so no share of the whole is known";
    EXPECT_FALSE(program_verdict(profile));
}

}  // namespace
}  // namespace tilescope::models
