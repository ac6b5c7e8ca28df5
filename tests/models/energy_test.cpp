// What moving bytes costs, level by level.
#include "scope/models/energy.h"

#include <gtest/gtest.h>

#include "scope/models/time/on_device.h"

namespace tilescope::models {
namespace {

using C = Counter;

LaunchProfile launch_of_bytes() {
    LaunchProfile launch;
    launch.counters.modelled = true;
    launch.counters[C::kThreadInstructions] = 1000;       // 12 bytes each
    launch.counters[C::kSharedLoadBytesRequested] = 600;  // with the stores 1,000
    launch.counters[C::kSharedStoreBytesRequested] = 400;
    launch.counters[C::kGlobalLoadL1HitSectors] = 10;  // 320 bytes
    launch.counters[C::kL2ReadSectors] = 100;          // those that miss come from DRAM
    launch.counters[C::kL2ReadHitSectors] = 5;         // with the stores 320 bytes
    launch.counters[C::kL2WriteSectors] = 5;
    launch.counters[C::kDramReadBytes] = 3000;
    launch.counters[C::kDramWriteBytes] = 40;
    return launch;
}

Device device_with(const Energies& costs) {
    Device device;
    device.energy = costs;
    return device;
}

TEST(Energy, IsBytesByLevelTimesWhatAByteCosts) {
    const auto found = energy(device_with({0.5, 10, 11, 50, 125}), launch_of_bytes());
    ASSERT_TRUE(found);
    ASSERT_EQ(found->parts.size(), 5u);
    const std::uint64_t bytes[] = {12000, 1000, 320, 320, 3040};
    const double costs[] = {0.5, 10, 11, 50, 125};
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        const EnergyPart& part = found->parts[i];
        EXPECT_EQ(static_cast<std::size_t>(part.level), i);
        EXPECT_EQ(part.bytes, bytes[i]);
        EXPECT_DOUBLE_EQ(part.microjoules, static_cast<double>(bytes[i]) * costs[i] * 1e-6);
        sum += part.microjoules;
    }
    EXPECT_DOUBLE_EQ(found->microjoules, sum);
    EXPECT_DOUBLE_EQ(found->parts[4].share, 3040 * 125 * 1e-6 / sum);
}

TEST(Energy, WhatIsNotKnownCountsForNothing) {
    const auto dram = energy(device_with({0, 0, 0, 0, 30}), launch_of_bytes());
    ASSERT_TRUE(dram);
    EXPECT_FALSE(dram->parts[0].picojoules_per_byte);
    EXPECT_EQ(dram->parts[0].microjoules, 0);
    EXPECT_DOUBLE_EQ(dram->microjoules, 3040 * 30 * 1e-6);
    EXPECT_DOUBLE_EQ(dram->parts[4].share, 1);
    EXPECT_FALSE(energy(device_with({}), launch_of_bytes())) << "no figure, no sum";
    LaunchProfile counted = launch_of_bytes();
    counted.counters.modelled = false;
    EXPECT_FALSE(energy(device_with({1, 1, 1, 1, 1}), counted)) << "nobody knows where its bytes came from";
    LaunchProfile idle;
    idle.counters.modelled = true;
    EXPECT_FALSE(energy(device_with({1, 1, 1, 1, 1}), idle));
}

// What a device has no figure of must not be that of another one.
TEST(Energy, BelongsToTheDevice) {
    Profile profile;
    profile.device = "h200";
    profile.launches = {launch_of_bytes()};
    const Profile h200 = on_device(profile, *load_device("h200")), a100 = on_device(profile, *load_device("a100"));
    ASSERT_TRUE(h200.launches[0].energy && a100.launches[0].energy);
    for (const EnergyPart& part : h200.launches[0].energy->parts) EXPECT_TRUE(part.picojoules_per_byte);
    for (const EnergyPart& part : a100.launches[0].energy->parts)
        EXPECT_EQ(part.picojoules_per_byte.has_value(), part.level == EnergyLevel::kDram);
    EXPECT_FALSE(on_device(profile, *load_device("a100-80gb")).launches[0].energy);
}

}  // namespace
}  // namespace tilescope::models
