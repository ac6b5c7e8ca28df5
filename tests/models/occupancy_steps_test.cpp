#include "scope/models/occupancy_steps.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/models/capabilities.h"

namespace tilescope::models {
namespace {

std::string text_of(const std::vector<OccupancyStep>& steps) {
    std::string text;
    for (const OccupancyStep& step : steps) {
        for (const OccupancyChange& change : step.changes)
            text += std::string(report::name_of(change.resource)) + (change.change < 0 ? "" : "+") +
                    std::to_string(change.change) + " ";
        text += "-> " + std::to_string(step.blocks_per_sm) + "; ";
    }
    return text;
}

KernelResources apply(KernelResources kernel, const std::vector<OccupancyChange>& changes, int less = 0) {
    for (const OccupancyChange& change : changes) {
        const std::int64_t by = change.change + (change.change < 0 ? less : -less);
        if (change.resource == SmResource::kRegisters)
            kernel.registers_per_thread = static_cast<std::uint32_t>(kernel.registers_per_thread + by);
        if (change.resource == SmResource::kShared) {
            kernel.dynamic_shared_bytes = kernel.shared_bytes() + static_cast<std::uint64_t>(by);
            kernel.static_shared_bytes = 0;
        }
        if (change.resource == SmResource::kThreads) kernel.threads_per_block += static_cast<std::uint64_t>(by);
        if (change.resource == SmResource::kBarriers)
            kernel.barriers = static_cast<std::uint32_t>(kernel.barriers + by);
    }
    return kernel;
}

TEST(OccupancySteps, SayWhatOneBlockMoreTakes) {
    const Device h200 = device_of("9.0");
    // 35 registers a thread are 1,280 a warp, 48 warps in four sub-partitions; 32 are 1,024, 64 warps.
    EXPECT_EQ(text_of(next_steps(h200, kernel_of(256, 35, 0))), "registers-3 -> 8; ");
    // 41 registers: 1,536 a warp, 40 warps, 5 blocks of 8.
    EXPECT_EQ(text_of(next_steps(h200, kernel_of(256, 41, 0))).substr(0, 17), "registers-1 -> 6;");
    // 33 KB of 164: 4 blocks; a fifth takes 256 bytes less.
    EXPECT_EQ(text_of(next_steps(device_of("8.0"), kernel_of(256, 16, 32768))).substr(0, 17), "shared-256 -> 5; ");
    EXPECT_EQ(text_of(next_steps(h200, kernel_of(256, 32, 0))), "");
    // 24 blocks of one warp are all there may be; larger blocks help, smaller ones do not.
    EXPECT_EQ(text_of(next_steps(device_of("8.9"), kernel_of(32, 16, 0))), "threads+32 -> 24; ");
}

TEST(OccupancySteps, WhatBindsTogetherGivesWayTogether) {
    // 40 warps by registers and five blocks by shared memory.
    const auto steps = next_steps(device_of("9.0"), kernel_of(256, 48, 45'000));
    ASSERT_FALSE(steps.empty());
    ASSERT_EQ(steps[0].changes.size(), 2U) << text_of(steps);
    EXPECT_EQ(steps[0].changes[0].resource, SmResource::kRegisters);
    EXPECT_EQ(steps[0].changes[0].change, -8);
    EXPECT_EQ(steps[0].changes[1].resource, SmResource::kShared);
    EXPECT_EQ(steps[0].blocks_per_sm, 6U);
}

TEST(OccupancySteps, ABlockThatDoesNotFitIsToldWhatWould) {
    const Device h200 = device_of("9.0");
    EXPECT_EQ(text_of(next_steps(h200, kernel_of(1024, 65, 0))).substr(0, 17), "registers-1 -> 1;");
    EXPECT_EQ(text_of(next_steps(h200, kernel_of(256, 32, 232'449))).substr(0, 14), "shared-1 -> 1;");
    EXPECT_EQ(text_of(next_steps(h200, kernel_of(1100, 32, 0))), "threads-76 -> 2; ");
    EXPECT_TRUE(headroom(h200, kernel_of(1100, 32, 0)).empty());
}

TEST(OccupancySteps, BarriersAndCarveOutsAreStepsToo) {
    KernelResources barriers = kernel_of(64, 16, 0);
    barriers.barriers = 3;
    EXPECT_EQ(text_of(next_steps(device_of("9.0"), barriers)).substr(0, 18), "barriers-1 -> 32; ");
    KernelResources carved = kernel_of(256, 16, 16'000);
    carved.carveout_percent = 25;  // 64 KB: three blocks
    const auto steps = next_steps(device_of("9.0"), carved);
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps.back().changes[0].resource, SmResource::kCarveout);
    EXPECT_EQ(steps.back().changes[0].change, 36 << 10);
    EXPECT_EQ(steps.back().blocks_per_sm, 6U);
}

TEST(OccupancySteps, SharedMemoryOfAThreadMovesWithTheBlock) {
    const KernelResources kernel = kernel_of(256, 32, 2048);
    EXPECT_EQ(with_threads(kernel, 64, SharedScaling::kPerThread).shared_bytes(), 512U);
    EXPECT_EQ(with_threads(kernel, 64, SharedScaling::kPerBlock).shared_bytes(), 2048U);
    EXPECT_EQ(with_threads(kernel_of(3, 0, 10), 2, SharedScaling::kPerThread).shared_bytes(), 7U);
}

// Each step yields what it says and is the smallest: one unit less of it does not help.
TEST(OccupancySteps, AreExactAndSmallest) {
    std::mt19937 random(11);
    int seen = 0, together = 0;
    for (const std::string& capability : known_capabilities()) {
        const Device device = device_of(capability);
        for (int i = 0; i < 600; ++i) {
            KernelResources kernel =
                kernel_of(1 + random() % 1024, 1 + random() % 255, random() % (1U << random() % 18));
            kernel.barriers = 1 + random() % 4;
            const Occupancy now = occupancy(device, kernel);
            for (const OccupancyStep& step : next_steps(device, kernel)) {
                ++seen;
                const Occupancy then = occupancy(device, apply(kernel, step.changes));
                ASSERT_EQ(then.blocks_per_sm, step.blocks_per_sm);
                ASSERT_EQ(then.fraction, step.fraction);
                ASSERT_GT(then.warps_per_sm, now.warps_per_sm);
                if (step.changes.size() > 1) ++together;
                if (step.changes.size() != 1 || step.changes[0].resource == SmResource::kThreads) continue;
                ASSERT_LE(occupancy(device, apply(kernel, step.changes, 1)).warps_per_sm, now.warps_per_sm)
                    << capability << " " << text_of({step});
            }
        }
    }
    EXPECT_GT(seen, 5000);
    EXPECT_GT(together, 10);
}

TEST(OccupancySteps, HeadroomEndsWhereABlockIsLost) {
    std::mt19937 random(12);
    for (const std::string& capability : known_capabilities()) {
        const Device device = device_of(capability);
        for (int i = 0; i < 300; ++i) {
            const KernelResources kernel =
                kernel_of(1 + random() % 1024, 1 + random() % 200, random() % (1U << random() % 17));
            const Occupancy now = occupancy(device, kernel);
            for (const OccupancyChange& more : headroom(device, kernel)) {
                ASSERT_GE(more.change, 0);
                ASSERT_EQ(occupancy(device, apply(kernel, {more})).blocks_per_sm, now.blocks_per_sm)
                    << report::name_of(more.resource);
                ASSERT_LT(occupancy(device, apply(kernel, {{more.resource, more.change + 1}})).blocks_per_sm,
                          now.blocks_per_sm)
                    << capability << " " << report::name_of(more.resource);
            }
        }
    }
    const auto room = headroom(device_of("9.0"), kernel_of(256, 33, 1000));
    ASSERT_EQ(room.size(), 3U);
    EXPECT_EQ(room[0].resource, SmResource::kRegisters);
    EXPECT_EQ(room[0].change, 7);  // up to 40
}

}  // namespace
}  // namespace tilescope::models
