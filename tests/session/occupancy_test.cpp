// The occupancy of a launch's profile: what a cubin and the program said about the kernel counts.
#include <gtest/gtest.h>

#include "scope/session/session.h"

namespace tilescope {
namespace {

constexpr const char* kNothingPtx = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry nothing() { ret; }
)";

LaunchProfile launched(const KernelFacts& facts, const LaunchRequest& asked) {
    auto session = Session::create({});
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(kNothingPtx, "nothing.ptx", {{facts}});
    EXPECT_TRUE(module) << render(module.errors());
    LaunchRequest request = asked;
    request.kernel = (*session)->kernels(*module).at(0);
    EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    return (*session)->profile().launches.at(0);
}

KernelFacts facts() {
    KernelFacts facts;
    facts.entry = "nothing";
    facts.registers = 35;
    facts.static_shared_bytes = 16'384;
    return facts;
}

TEST(SessionOccupancy, TheProfileSaysWhatStandsBehindIt) {
    LaunchRequest request;
    request.block = {16, 16, 1};
    const LaunchProfile launch = launched(facts(), request);
    EXPECT_EQ(launch.blocks_per_sm, 6U);
    EXPECT_EQ(launch.limiters, std::vector{SmResource::kRegisters});
    ASSERT_TRUE(launch.occupancy_profile);
    const OccupancyProfile& profile = *launch.occupancy_profile;
    EXPECT_EQ(profile.by.registers, 6U);
    EXPECT_EQ(profile.by.shared, 13U);
    EXPECT_EQ(profile.registers_per_block, 10'240U);
    EXPECT_EQ(profile.shared_bytes_per_block, 17'408U);
    EXPECT_EQ(profile.textbook.blocks_per_sm, 7U);
    ASSERT_EQ(profile.reasons.size(), 1U);
    EXPECT_EQ(profile.reasons[0].rule, OccupancyRule::kRegisterUnits);
    EXPECT_EQ(profile.reasons[0].figures,
              (FigureSet<OccupancyFigure>{
                  {OccupancyFigure::kAsked, 1120}, {OccupancyFigure::kTaken, 1280}, {OccupancyFigure::kUnit, 256}}));
    EXPECT_DOUBLE_EQ(profile.shared_bytes_per_thread, 64);
    ASSERT_FALSE(profile.next.empty());
    EXPECT_EQ(profile.next[0].changes[0].resource, SmResource::kRegisters);
    EXPECT_EQ(profile.next[0].changes[0].change, -3);
    EXPECT_EQ(profile.next[0].blocks_per_sm, 8U);
}

// Both figures are what an NVIDIA H200 (driver 580.159.04) answers to its occupancy call, measured November 2026.
TEST(SessionOccupancy, NamedBarriersAndThePreferredCarveOutCount) {
    LaunchRequest request;
    request.block = {128, 1, 1};
    KernelFacts many = facts();
    many.barriers = 16;
    const LaunchProfile barriers = launched(many, request);
    EXPECT_EQ(barriers.blocks_per_sm, 4U);
    EXPECT_EQ(barriers.limiters, std::vector{SmResource::kBarriers});
    EXPECT_EQ(barriers.occupancy_profile->barriers, 16U);
    request.carveout_percent = 25;  // 57 KB: 64
    const LaunchProfile carved = launched(facts(), request);
    EXPECT_EQ(carved.blocks_per_sm, 3U);
    EXPECT_EQ(carved.occupancy_profile->shared_bytes_per_sm, 64U << 10);
    EXPECT_EQ(carved.occupancy_profile->carveout_percent, 25U);
}

}  // namespace
}  // namespace tilescope
