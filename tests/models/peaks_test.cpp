// How busy a launch keeps the units, and how full the SMs are: by figures that can be worked out by hand.
#include <gtest/gtest.h>

#include "scope/models/time/launch_time.h"
#include "scope/models/time/on_device.h"
#include "scope/models/time/peaks.h"
#include "scope/models/verdicts.h"
#include "scope/report/ratios.h"

namespace tilescope::models {
namespace {

using C = Counter;

const Device& an_h200() {
    static const Device device = *load_device("h200");
    return device;
}

// 65,536 warps that read 256 MiB and write 64 MiB of device memory in a replay of a million cycles.
LaunchProfile busy_launch() {
    constexpr double kWarps = 65536;
    LaunchProfile launch;
    launch.grid = {8192, 1, 1};
    launch.block = {256, 1, 1};
    launch.blocks_per_sm = 8;
    launch.occupancy = 1;
    launch.counters.modelled = true;
    launch.work = WarpWork{};
    launch.work->instructions = 1000 * kWarps;
    (*launch.work)[Pipe::kFp32] = 400 * kWarps;
    (*launch.work)[Pipe::kInteger] = 100 * kWarps;
    (*launch.work)[Pipe::kFp64] = 10 * kWarps;
    (*launch.work)[Pipe::kSpecial] = 5 * kWarps;
    launch.counters[C::kSharedLoadWavefronts] = 20'000'000;
    launch.counters[C::kL2ReadSectors] = 8 << 20;
    launch.counters[C::kL2WriteSectors] = 2 << 20;
    launch.counters[C::kDramReadBytes] = 256 << 20;
    launch.counters[C::kDramWriteBytes] = 64 << 20;
    launch.replay = ReplayClock{.cycles = 1e6, .busy_cycles = 1e6, .resident_cycles = 32 * 132 * 1e6};
    launch.replay->active_cycles = 132 * 1e6;
    launch.replay->active_spells = 132;
    return launch;
}

TEST(Peaks, AreAmountsOverWhatTheTimeHasRoomFor) {
    const Device& device = an_h200();
    const LaunchProfile launch = busy_launch();
    const auto time = launch_time(device, launch);
    ASSERT_TRUE(time && time->of_peak);
    const PeakShares& of_peak = *time->of_peak;
    const double cycles = time->microseconds * device.cycles_per_microsecond(), seconds = time->microseconds * 1e-6;
    const double sms = device.sm_count, schedulers = 4 * sms;
    EXPECT_NEAR(of_peak[TimeBound::kDram], 320 * 1048576 / seconds / device.dram_bandwidth, 1e-6);
    EXPECT_NEAR(of_peak[TimeBound::kL1], 20e6 / (sms * cycles), 1e-6);
    EXPECT_NEAR(of_peak[TimeBound::kIssue], 1000 * 65536 / (schedulers * cycles), 1e-6);
    // Lanes of a scheduler's part of each pipe: 32, 16, 16 and 4.
    EXPECT_NEAR(of_peak[TimeBound::kFp32], 400 * 65536 / (schedulers * cycles), 1e-6);
    EXPECT_NEAR(of_peak[TimeBound::kInteger], 2 * 100 * 65536 / (schedulers * cycles), 1e-6);
    EXPECT_NEAR(of_peak[TimeBound::kFp64], 2 * 10 * 65536 / (schedulers * cycles), 1e-6);
    EXPECT_NEAR(of_peak[TimeBound::kSpecial], 8 * 5 * 65536 / (schedulers * cycles), 1e-6);
    EXPECT_GT(of_peak[TimeBound::kL2], 320 * 1048576 / seconds / device.l2_bandwidth * (1 - 1e-6));
    EXPECT_EQ(of_peak[TimeBound::kLatency], 0) << "no unit";
    EXPECT_NEAR(time->dram_gb_per_second, 320 * 1048576 / seconds / 1e9, 1e-3);
    EXPECT_NEAR(time->l2_gb_per_second, 320 * 1048576 / seconds / 1e9, 1e-3);
    const auto asked = static_cast<double>(report::requested_bytes(launch.counters));
    EXPECT_NEAR(time->effective_gb_per_second, asked / seconds / 1e9, 1e-3);
}

// Whatever a launch asks for, no unit does more than it can in the launch's time.
TEST(Peaks, NoneIsPassed) {
    for (const std::uint32_t blocks : {1u, 132u, 8192u, 100'000u})
        for (const double cycles : {0., 100., 1e4, 1e7}) {
            LaunchProfile launch = busy_launch();
            launch.grid = {blocks, 1, 1};
            launch.replay->cycles = launch.replay->busy_cycles = cycles;
            const auto time = launch_time(an_h200(), launch);
            ASSERT_TRUE(time && time->of_peak);
            for (const UnitRow& unit : kUnitRows) {
                EXPECT_GE((*time->of_peak)[unit.bound], 0);
                EXPECT_LE((*time->of_peak)[unit.bound], 1 + 1e-9) << static_cast<int>(unit.bound) << " " << cycles;
            }
        }
}

TEST(Peaks, AchievedOccupancyIsOfTheTimeInWhichSmsHaveBlocks) {
    const Device& device = an_h200();
    LaunchProfile launch = busy_launch();
    EXPECT_NEAR(*achieved_occupancy(device, launch), 0.5, 0.01) << "32 of 64 warps";
    // Half of the SMs have nothing to do: those that have are as full as before.
    launch.replay->resident_cycles /= 2;
    launch.replay->active_cycles /= 2;
    EXPECT_NEAR(*achieved_occupancy(device, launch), 0.5, 0.02);
    launch.replay->resident_cycles /= 4;
    EXPECT_NEAR(*achieved_occupancy(device, launch), 0.125, 0.02);
    launch.replay->resident_cycles *= 100;
    EXPECT_EQ(*achieved_occupancy(device, launch), 1) << "there are no more";
    launch.replay->active_cycles = 0;  // written before that was counted
    EXPECT_FALSE(achieved_occupancy(device, launch));
    launch.replay.reset();
    EXPECT_FALSE(achieved_occupancy(device, launch));
}

TEST(Peaks, BelongToTheDevice) {
    Profile profile;
    profile.device = "h200";
    profile.launches = {busy_launch()};
    profile.launches[0].achieved_occupancy = 0.5;
    const Profile other = on_device(profile, *load_device("a100"));
    ASSERT_TRUE(other.launches[0].time && other.launches[0].time->of_peak);
    EXPECT_FALSE(other.launches[0].achieved_occupancy) << "that was the first device's clock";
    const double seconds = other.launches[0].time->microseconds * 1e-6;
    EXPECT_NEAR((*other.launches[0].time->of_peak)[TimeBound::kDram],
                320 * 1048576 / seconds / load_device("a100")->dram_bandwidth, 1e-6);
    const Profile same = on_device(profile, an_h200());
    EXPECT_NEAR(same.launches[0].achieved_occupancy.value_or(0), 0.5, 0.01);
}

TEST(Peaks, WhatPeopleCallABound) {
    EXPECT_EQ(kind_of(TimeBound::kDram), BoundKind::kMemory);
    EXPECT_EQ(kind_of(TimeBound::kL1), BoundKind::kMemory);
    EXPECT_EQ(kind_of(TimeBound::kFp64), BoundKind::kCompute);
    EXPECT_EQ(kind_of(TimeBound::kIssue), BoundKind::kCompute);
    EXPECT_EQ(kind_of(TimeBound::kLatency), BoundKind::kLatency);
    EXPECT_EQ(kind_of(TimeBound::kLaunch), BoundKind::kLaunch);
    EXPECT_EQ(kind_of(TimeBound::kImbalance), BoundKind::kImbalance);
}

}  // namespace
}  // namespace tilescope::models
