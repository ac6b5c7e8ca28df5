#include "scope/models/occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scope/models/occupancy_profile.h"
#include "scope/models/resident.h"
#include "tests/models/capabilities.h"

namespace tilescope::models {
namespace {

struct Case {
    const char* capability;
    std::uint64_t threads;
    std::uint32_t registers;
    std::uint64_t shared;
    std::uint32_t blocks;
    SmResource limiter;
};

// Worked by hand from the rules; each case is the smallest that tells one rule from its neighbour.
TEST(Occupancy, EveryLimitBindsWhereItShould) {
    const Case cases[] = {
        {"7.0", 1024, 32, 0, 2, SmResource::kThreads},
        {"7.0", 256, 32, 49152, 2, SmResource::kShared},
        {"7.0", 256, 32, 98304, 1, SmResource::kShared},
        {"7.5", 512, 32, 0, 2, SmResource::kThreads},
        {"7.5", 32, 32, 0, 16, SmResource::kBlocks},
        {"7.5", 128, 32, 65536, 1, SmResource::kShared},
        {"8.0", 32, 16, 0, 32, SmResource::kBlocks},
        {"8.0", 128, 40, 0, 12, SmResource::kRegisters},
        {"8.0", 256, 16, 32768, 4, SmResource::kShared},  // 33 KB each of 164
        {"8.0", 256, 16, 40960, 4, SmResource::kShared},  // 41 KB each: exactly 164
        {"8.0", 256, 16, 40961, 3, SmResource::kShared},  // one byte more
        {"8.6", 1024, 32, 0, 1, SmResource::kThreads},
        {"8.6", 768, 32, 0, 2, SmResource::kThreads},
        {"8.6", 64, 32, 0, 16, SmResource::kBlocks},
        {"8.7", 64, 32, 163 * 1024, 1, SmResource::kShared},
        {"8.9", 64, 32, 0, 24, SmResource::kThreads},
        {"8.9", 32, 32, 101376, 1, SmResource::kShared},
        {"9.0", 96, 64, 0, 10, SmResource::kRegisters},  // 32 warps by registers, 3 a block
        {"9.0", 768, 64, 0, 1, SmResource::kRegisters},
        {"9.0", 256, 47, 0, 5, SmResource::kRegisters},  // 1,504 registers a warp round to 1,536
        {"10.0", 256, 16, 232448, 1, SmResource::kShared},
        {"11.0", 256, 32, 0, 6, SmResource::kThreads},
        {"12.0", 1024, 64, 0, 1, SmResource::kThreads},
    };
    for (const Case& c : cases) {
        const Occupancy got = occupancy(device_of(c.capability), kernel_of(c.threads, c.registers, c.shared));
        EXPECT_EQ(got.blocks_per_sm, c.blocks)
            << c.capability << " " << c.threads << " " << c.registers << " " << c.shared;
        EXPECT_NE(std::find(got.limiters.begin(), got.limiters.end(), c.limiter), got.limiters.end())
            << c.capability << " " << c.threads << " " << c.registers << " " << c.shared;
    }
}

TEST(Occupancy, WhatCannotLaunchHasNoBlocks) {
    const Device device = device_of("9.0");
    EXPECT_EQ(occupancy(device, kernel_of(0, 32, 0)).blocks_per_sm, 0U);
    EXPECT_EQ(occupancy(device, kernel_of(1025, 32, 0)).blocks_per_sm, 0U);
    EXPECT_EQ(occupancy(device, kernel_of(1024, 65, 0)).blocks_per_sm, 0U);
    EXPECT_EQ(occupancy(device, kernel_of(1024, 64, 0)).blocks_per_sm, 1U);
    EXPECT_EQ(occupancy(device, kernel_of(32, 256, 0)).blocks_per_sm, 0U);
    EXPECT_EQ(occupancy(device, kernel_of(32, 16, 232449)).blocks_per_sm, 0U);
    EXPECT_EQ(occupancy(device, kernel_of(32, 16, ~std::uint64_t{0})).blocks_per_sm, 0U);
    EXPECT_EQ(occupancy(device, kernel_of(~std::uint64_t{0}, 16, 0)).blocks_per_sm, 0U);
    // 29 warps of 72 registers fit the file, but not when rounded up to whole sub-partitions.
    EXPECT_EQ(occupancy(device, kernel_of(29 * 32, 72, 0)).blocks_per_sm, 0U);
    EXPECT_EQ(occupancy(device, kernel_of(28 * 32, 72, 0)).blocks_per_sm, 1U);
}

TEST(Occupancy, CarveOutsRoundUpToWhatTheHardwareHas) {
    const Device device = device_of("9.0");
    KernelResources resources = kernel_of(64, 16, 7 * 1024);  // 8 KB with the driver's share
    EXPECT_EQ(occupancy(device, resources).by_shared, 28U);
    resources.carveout_percent = 100;
    EXPECT_EQ(occupancy(device, resources).by_shared, 28U);
    resources.carveout_percent = 50;  // 114 KB: the next is 132
    EXPECT_EQ(occupancy(device, resources).carveout_bytes, 132U << 10);
    EXPECT_EQ(occupancy(device, resources).blocks_per_sm, 16U);
    resources.carveout_percent = 0;  // none at all: the block does not fit, so it gets the smallest that holds it
    EXPECT_EQ(occupancy(device, resources).carveout_bytes, 8U << 10);
    resources.static_shared_bytes = 40U << 10;
    EXPECT_EQ(occupancy(device, resources).carveout_bytes, 64U << 10);
    EXPECT_EQ(occupancy(device, resources).blocks_per_sm, 1U);
    resources.static_shared_bytes = 7U << 10;
    resources.carveout_percent = 3;  // 6.8 KB: the next is 8, one block
    EXPECT_EQ(occupancy(device, resources).blocks_per_sm, 1U);
}

TEST(Occupancy, BarriersCountFrom90On) {
    KernelResources resources = kernel_of(32, 16, 0);
    resources.barriers = 16;
    EXPECT_EQ(occupancy(device_of("9.0"), resources).blocks_per_sm, 4U);
    EXPECT_EQ(occupancy(device_of("12.0"), resources).blocks_per_sm, 1U);
    EXPECT_EQ(occupancy(device_of("8.0"), resources).blocks_per_sm, 32U);
}

TEST(Occupancy, TiesNameEveryLimiter) {
    const Occupancy got = occupancy(device_of("9.0"), kernel_of(256, 32, 0));
    EXPECT_EQ(got.blocks_per_sm, 8U);
    EXPECT_EQ(got.warps_per_sm, 64U);
    EXPECT_DOUBLE_EQ(got.fraction, 1.0);
    EXPECT_EQ(got.limiters, (std::vector{SmResource::kThreads, SmResource::kRegisters}));
}

TEST(Occupancy, BlocksComeInWaves) {
    const Device h200 = load_device("h200").value();  // 132 SMs
    EXPECT_FALSE(waves_of(h200, 0, 100));
    EXPECT_FALSE(waves_of(h200, 8, 0));
    const auto even = waves_of(h200, 8, 4 * 1056);
    EXPECT_EQ(even->blocks_at_once, 1056u);
    EXPECT_EQ(even->full, 4u);
    EXPECT_EQ(even->tail_blocks, 0u);
    EXPECT_EQ(even->idle_sms, 0u);
    const auto tail = waves_of(h200, 8, 1056 + 33);
    EXPECT_EQ(tail->full, 1u);
    EXPECT_EQ(tail->tail_blocks, 33u);
    EXPECT_DOUBLE_EQ(tail->tail_fraction(), 1.0 / 32);
    EXPECT_EQ(tail->idle_sms, 99u);
    EXPECT_EQ(waves_of(h200, 8, 132)->idle_sms, 0u);
}

TEST(Resident, EachBlockHasTheWarpsThatOccupancyCounts) {
    for (const std::string& capability : known_capabilities())
        for (const std::uint64_t threads : {1, 96, 256, 1000}) {
            const Device device = device_of(capability);
            const KernelResources kernel = kernel_of(threads, 41, 3000);
            const Occupancy found = occupancy(device, kernel);
            const ResidentSm sm = resident_sm(device, kernel);
            std::vector<std::uint64_t> warps(found.blocks_per_sm);
            std::size_t places = 0;
            for (const auto& part : sm.parts)
                for (const auto& block : part) {
                    ++places;
                    if (block) ++warps.at(*block);
                }
            EXPECT_EQ(places, device.max_warps_per_sm()) << capability;
            for (const std::uint64_t each : warps) EXPECT_EQ(each, found.warps_per_block) << capability;
            EXPECT_LE(sm.blocks * sm.registers_per_block, sm.registers);
            EXPECT_LE(sm.blocks * sm.shared_per_block, sm.shared_bytes);
        }
    EXPECT_EQ(resident_sm(device_of("9.0"), kernel_of(2048, 32, 0)).blocks, 0U);
}

TEST(Resident, WhatAThreadMayHaveLosesNoBlockAndABitMoreDoes) {
    for (const std::string& capability : known_capabilities()) {
        const Device device = device_of(capability);
        for (const FullBlock& block : full_blocks(device)) {
            KernelResources kernel = kernel_of(block.threads, block.registers, block.shared_in_all);
            EXPECT_EQ(occupancy(device, kernel).blocks_per_sm, block.blocks_per_sm) << capability << block.threads;
            ++kernel.static_shared_bytes;
            EXPECT_LT(occupancy(device, kernel).blocks_per_sm, block.blocks_per_sm) << capability << block.threads;
            if (block.registers == device.max_registers_per_thread) continue;
            kernel = kernel_of(block.threads, block.registers + 1, 0);
            EXPECT_LT(occupancy(device, kernel).blocks_per_sm, block.blocks_per_sm) << capability << block.threads;
        }
    }
}

}  // namespace
}  // namespace tilescope::models
