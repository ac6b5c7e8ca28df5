#include "scope/models/device_sheets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>

#include "scope/models/occupancy.h"
#include "scope/models/time/on_device.h"
#include "scope/models/verdicts.h"
#include "scope/report/fold.h"

namespace tilescope::models {
namespace {

using report::DeviceSheets;
using report::OccupancyRow;
using report::OccupancyTable;

constexpr std::uint32_t kNoBound = 0xffffffff;

// As a reader of the table does it.
std::uint32_t entry_of(const std::vector<OccupancyRow>& rows, std::uint64_t amount, std::size_t place) {
    for (const OccupancyRow& row : rows)
        if (amount <= row.most) return row.blocks[place].value_or(kNoBound);
    return 0;
}

std::uint32_t blocks_by_table(const OccupancyTable& table, const KernelResources& kernel) {
    const std::size_t warps = (kernel.threads_per_block + table.warp_size - 1) / table.warp_size;
    if (warps > table.threads.size()) return 0;
    std::uint32_t blocks = std::min(table.threads[warps - 1], table.by_blocks);
    if (kernel.registers_per_thread != 0)
        blocks = std::min(blocks, entry_of(table.registers, kernel.registers_per_thread, warps - 1));
    blocks = std::min(blocks, entry_of(table.shared, kernel.shared_bytes(), 0));
    if (table.barriers && kernel.barriers != 0) blocks = std::min(blocks, *table.barriers / kernel.barriers);
    return blocks;
}

TEST(DeviceSheets, TheLeastEntryOfATableIsTheOccupancy) {
    std::mt19937 random(35);
    for (const std::string& name : device_names()) {
        const Device device = *load_device(name);
        const OccupancyTable table = occupancy_table(device);
        for (int i = 0; i < 1000; ++i) {
            KernelResources kernel;
            kernel.threads_per_block = 1 + random() % (device.max_threads_per_block + 32);
            kernel.registers_per_thread = static_cast<std::uint32_t>(random() % (device.max_registers_per_thread + 3));
            kernel.static_shared_bytes = random() % (device.shared_bytes_per_block_optin + 4096);
            if (i % 3 == 0) kernel.static_shared_bytes /= 64;
            kernel.barriers = static_cast<std::uint32_t>(random() % 4);
            EXPECT_EQ(blocks_by_table(table, kernel), occupancy(device, kernel).blocks_per_sm)
                << name << ": " << kernel.threads_per_block << " threads, " << kernel.registers_per_thread
                << " registers, " << kernel.static_shared_bytes << " bytes, " << kernel.barriers << " barriers";
        }
    }
}

TEST(DeviceSheets, TablesAreShort) {
    for (const std::string& name : device_names()) {
        const OccupancyTable table = occupancy_table(*load_device(name));
        EXPECT_LE(table.registers.size(), 100U) << name;
        EXPECT_LE(table.shared.size(), 700U) << name;
        EXPECT_TRUE(std::is_sorted(table.shared.begin(), table.shared.end(),
                                   [](const auto& a, const auto& b) { return a.most < b.most; }));
    }
}

LaunchProfile timed_launch(std::uint32_t index, std::uint32_t blocks, const std::string& kernel) {
    LaunchProfile launch;
    launch.index = index;
    launch.kernel = launch.entry = kernel;
    launch.grid = {blocks, 1, 1};
    launch.block = {256, 1, 1};
    launch.blocks_per_sm = 8;
    launch.registers_per_thread = 16;
    launch.counters.modelled = true;
    const double warps = 8.0 * blocks;
    launch.work = WarpWork{};
    launch.work->instructions = 16 * warps;
    (*launch.work)[Pipe::kMemory] = 2 * warps;
    (*launch.work)[Wait::kGlobal] = launch.work->load_lines = launch.work->load_passes = warps;
    launch.counters[Counter::kGlobalLoadRequests] = 8 * blocks;
    launch.counters[Counter::kGlobalLoadSectors] = launch.counters[Counter::kL2ReadSectors] = 32 * blocks;
    launch.counters[Counter::kDramReadBytes] = 1024 * blocks;
    stand_on(*load_device("h200"), launch);
    return launch;
}

const report::DeviceSheet* sheet_of(const DeviceSheets& sheets, const std::string& name) {
    const auto found = std::find_if(sheets.devices.begin(), sheets.devices.end(),
                                    [&](const report::DeviceSheet& sheet) { return sheet.name == name; });
    return found == sheets.devices.end() ? nullptr : &*found;
}

TEST(DeviceSheets, LaunchesStandAsTheyDoInTheProfileAndOnDevice) {
    Profile profile;
    profile.launches = {timed_launch(0, 1000, "a"), timed_launch(1, 8000, "b"), timed_launch(2, 50, "c")};
    ASSERT_TRUE(profile.launches[0].time);
    const Device own = *load_device("h200");
    const DeviceSheets sheets = device_sheets(profile, profile, &own, {.launches = 2});
    EXPECT_EQ(sheets.devices.front().name, "h200");
    EXPECT_EQ(sheets.devices.size(), device_names().size());
    ASSERT_EQ(sheets.devices.front().launches.size(), 3U);
    EXPECT_EQ(sheets.devices.front().launches[2].microseconds, profile.launches[2].time->microseconds);
    const report::DeviceSheet* other = sheet_of(sheets, "a100");
    ASSERT_NE(other, nullptr);
    // The two that take longest, in their order.
    ASSERT_EQ(other->launches.size(), 2U);
    EXPECT_EQ(other->launches[0].launch, 0U);
    EXPECT_EQ(other->launches[1].launch, 1U);
    const Profile there = on_device(profile, *load_device("a100"));
    ASSERT_TRUE(there.launches[1].time);
    EXPECT_EQ(other->launches[1].microseconds, there.launches[1].time->microseconds);
    EXPECT_EQ(other->launches[1].blocks_per_sm, there.launches[1].blocks_per_sm);
    // No time where the description lacks a figure, and which one it is.
    const report::DeviceSheet* untimed = sheet_of(sheets, "t4");
    ASSERT_NE(untimed, nullptr);
    EXPECT_FALSE(untimed->lacks_for_time.empty());
    EXPECT_FALSE(untimed->launches[0].microseconds);
}

TEST(DeviceSheets, FoldedLaunchesAreSumsOnEveryDevice) {
    Profile profile;
    profile.launches = {timed_launch(0, 1000, "a"), timed_launch(1, 8000, "b"), timed_launch(2, 3000, "a")};
    const Device own = *load_device("h200");
    const DeviceSheets sheets = device_sheets(profile, report::fold(profile), &own, {});
    const Profile there = report::fold(on_device(profile, *load_device("a100")));
    const report::DeviceSheet* other = sheet_of(sheets, "a100");
    ASSERT_NE(other, nullptr);
    ASSERT_EQ(other->launches.size(), 2U);
    ASSERT_TRUE(other->launches[0].microseconds);
    EXPECT_EQ(other->launches[0].microseconds, there.launches[0].time->microseconds);
}

TEST(DeviceSheets, WithoutAKnownDeviceAllOthersAreThere) {
    Profile profile;
    profile.device = "mine.json";
    const DeviceSheets sheets = device_sheets(profile, profile, nullptr, {});
    EXPECT_FALSE(sheets.knows_own);
    EXPECT_EQ(sheets.devices.size(), device_names().size());
}

TEST(ProgramParts, AddUpToTheWholeLine) {
    Profile profile;
    EXPECT_FALSE(program_parts(profile));
    profile.timeline_totals = TimelineTotals{};
    profile.timeline_totals->microseconds = 100;
    profile.timeline_totals->kernels = 40;
    profile.timeline_totals->copies = 50;
    profile.timeline_totals->hidden = 20;
    profile.pages = PageReport{};
    profile.pages->total.device_stall_microseconds = 10;
    profile.pages->total.host_stall_microseconds = 5;
    const auto parts = program_parts(profile);
    ASSERT_TRUE(parts);
    double sum = 0;
    for (const ProgramPart& part : *parts) sum += part.microseconds;
    EXPECT_DOUBLE_EQ(sum, 100);
    EXPECT_EQ((*parts)[0].microseconds, 30);
    EXPECT_EQ((*parts)[1].microseconds, 30);
    EXPECT_EQ((*parts)[2].microseconds, 15);
    EXPECT_EQ(name_of((*parts)[3].what), "idle");
}

}  // namespace
}  // namespace tilescope::models
