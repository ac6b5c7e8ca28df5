#include "scope/models/occupancy_curves.h"

#include <gtest/gtest.h>

#include "scope/models/occupancy_textbook.h"
#include "tests/models/capabilities.h"

namespace tilescope::models {
namespace {

// The value that a curve holds at `at`.
const OccupancyPoint& at(const OccupancyCurve& curve, std::uint64_t where) {
    const OccupancyPoint* found = &curve.points.front();
    for (const OccupancyPoint& point : curve.points)
        if (point.at <= where) found = &point;
    return *found;
}

TEST(OccupancyCurves, HoldEveryValueOfTheModel) {
    for (const std::string& capability : known_capabilities()) {
        const Device device = device_of(capability);
        const KernelResources kernel = kernel_of(192, 37, 5000);
        const auto registers = occupancy_curve(device, kernel, OccupancyResource::kRegisters);
        for (std::uint32_t r = 1; r <= 255; ++r) {
            const KernelResources other = kernel_of(192, r, 5000);
            ASSERT_EQ(at(registers, r).warps_per_sm, occupancy(device, other).warps_per_sm) << capability << " " << r;
            ASSERT_EQ(at(registers, r).textbook_warps * 32,
                      static_cast<double>(textbook_occupancy(device, other).threads_per_sm));
        }
        const auto shared = occupancy_curve(device, kernel, OccupancyResource::kShared);
        EXPECT_LT(shared.points.size(), 100U);
        for (std::uint64_t bytes = 0; bytes <= device.shared_bytes_per_block_optin; bytes += 13) {
            const KernelResources other = kernel_of(192, 37, bytes);
            ASSERT_EQ(at(shared, bytes).warps_per_sm, occupancy(device, other).warps_per_sm)
                << capability << " " << bytes;
            ASSERT_EQ(at(shared, bytes).textbook_warps * 32,
                      static_cast<double>(textbook_occupancy(device, other).threads_per_sm))
                << capability << " " << bytes;
        }
        const auto threads = occupancy_curve(device, kernel, OccupancyResource::kThreads);
        ASSERT_EQ(threads.points.size(), 32U);
        EXPECT_EQ(threads.points[5].at, 192U);
        EXPECT_EQ(threads.points[5].blocks_per_sm, occupancy(device, kernel).blocks_per_sm);
    }
}

TEST(OccupancyCurves, BestBlockSizesComeLargestFirst) {
    const Device device = device_of("9.0");
    const auto best = best_block_sizes(block_sizes(device, kernel_of(0, 32, 0)));
    std::vector<std::uint64_t> sizes;
    sizes.reserve(best.size());
    for (const BlockSize& size : best) sizes.push_back(size.threads);
    EXPECT_EQ(sizes, (std::vector<std::uint64_t>{1024, 512, 256, 128, 64}));
    // With 40 KB in every block the larger ones alone fill the SM.
    const auto heavy = best_block_sizes(block_sizes(device, kernel_of(0, 32, 40'000)));
    ASSERT_EQ(heavy.size(), 2U);
    EXPECT_EQ(heavy[0].threads, 1024U);
    EXPECT_EQ(heavy[1].threads, 512U);
    // The same bytes per thread of blocks of 1024 threads weigh less in small blocks.
    const auto scaled = best_block_sizes(block_sizes(device, kernel_of(1024, 32, 40'000), SharedScaling::kPerThread));
    EXPECT_EQ(scaled.size(), 5U);
    EXPECT_TRUE(best_block_sizes(block_sizes(device, kernel_of(0, 32, 300'000))).empty());
}

TEST(OccupancyCurves, ChartsMarkTheKernel) {
    const Device device = device_of("8.0");
    const KernelResources kernel = kernel_of(256, 0, 32768);
    const report::Chart shared =
        occupancy_chart(device, kernel, occupancy_curve(device, kernel, OccupancyResource::kShared));
    ASSERT_EQ(shared.marks.size(), 1U);
    EXPECT_EQ(shared.marks[0].x, 32768);
    EXPECT_EQ(shared.marks[0].y, 32);
    EXPECT_EQ(shared.curves.size(), 2U);
    EXPECT_EQ(shared.y.most, 64);
    // Nobody said how many registers.
    const report::Chart registers =
        occupancy_chart(device, kernel, occupancy_curve(device, kernel, OccupancyResource::kRegisters));
    EXPECT_TRUE(registers.marks.empty());
}

}  // namespace
}  // namespace tilescope::models
