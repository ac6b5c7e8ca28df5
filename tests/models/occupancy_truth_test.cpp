// Occupancy against what an H200 and its profiler said about every launch of tests/truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scope/models/occupancy.h"
#include "tests/places.h"

namespace tilescope::models {
namespace {

using Json = nlohmann::json;

KernelResources resources_of(const Json& row) {
    const Json& counters = row["counters"];
    KernelResources resources;
    resources.threads_per_block = 1;
    for (std::uint64_t extent : row["block"]) resources.threads_per_block *= extent;
    resources.registers_per_thread = counters["launch__registers_per_thread"];
    resources.static_shared_bytes = counters["launch__shared_mem_per_block_static"];
    resources.dynamic_shared_bytes = counters["launch__shared_mem_per_block_dynamic"];
    return resources;
}

TEST(OccupancyTruth, EveryLaunchAgreesWithTheHardware) {
    std::ifstream file(source_dir() + "/tests/truth/counters-h200.json");
    const Json truth = Json::parse(file);
    auto device = load_device("h200");
    ASSERT_TRUE(device);
    int launches = 0, printed = 0;
    for (const Json& row : truth) {
        const Json& counters = row["counters"];
        const KernelResources resources = resources_of(row);
        const Occupancy got = occupancy(*device, resources);
        const std::string where =
            row["program"].get<std::string>() + "[" + std::to_string(row["launch"].get<int>()) + "]";
        const std::uint32_t by_shared = counters["launch__occupancy_limit_shared_mem"];
        EXPECT_EQ(got.by_blocks, counters["launch__occupancy_limit_blocks"].get<std::uint32_t>()) << where;
        EXPECT_EQ(got.by_registers, counters["launch__occupancy_limit_registers"].get<std::uint32_t>()) << where;
        EXPECT_EQ(got.by_threads, counters["launch__occupancy_limit_warps"].get<std::uint32_t>()) << where;
        EXPECT_EQ(got.blocks_per_sm, std::min({got.by_blocks, got.by_registers, got.by_threads, by_shared})) << where;
        // The profiler's limit holds for the carve-out that the driver picked; ask for the same one.
        const std::uint64_t config = counters["launch__shared_mem_config_size"];
        KernelResources with_carveout = resources;
        with_carveout.carveout_percent = static_cast<unsigned>(config * 100 / device->shared_bytes_per_sm);
        const Occupancy carved = occupancy(*device, with_carveout);
        EXPECT_EQ(carved.carveout_bytes, config) << where;
        EXPECT_EQ(carved.by_shared, by_shared) << where;
        const std::string label = row.value("case", "");
        if (auto at = label.find("blocks_per_sm="); at != std::string::npos) {
            EXPECT_EQ(got.blocks_per_sm, std::stoul(label.substr(at + 14))) << where;
            ++printed;
        }
        ++launches;
    }
    EXPECT_EQ(launches, 149);
    EXPECT_EQ(printed, 25);
}

}  // namespace
}  // namespace tilescope::models
