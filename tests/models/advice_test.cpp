// Each rule of advice on made-up counts: just beyond its threshold, and just short of it. tests/advice has real
// kernels.
#include "scope/models/advice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scope/models/bounds.h"

namespace tilescope::models {
namespace {

using C = Counter;

const Device& h200() {
    static const Device device = load_device("h200").value();
    return device;
}

// A coalesced copy of a million floats, which nothing can be said against.
LaunchProfile copy() {
    LaunchProfile launch;
    launch.kernel = "copy(float const*, float*)";
    launch.grid = {4096, 1, 1};
    launch.block = {256, 1, 1};
    launch.registers_per_thread = 16;
    launch.registers_from = RegistersFrom::kCubin;
    CounterSet& c = launch.counters;
    c[C::kInstructions] = 400'000;
    c[C::kThreadInstructions] = 12'800'000;
    c[C::kGlobalLoadRequests] = c[C::kGlobalStoreRequests] = 32'768;
    c[C::kGlobalLoadSectors] = c[C::kGlobalLoadIdealSectors] = 131'072;
    c[C::kGlobalStoreSectors] = c[C::kGlobalStoreIdealSectors] = 131'072;
    c[C::kGlobalLoadBytesRequested] = c[C::kGlobalStoreBytesRequested] = 4'194'304;
    launch.tiling = Tiling{};
    launch.tiling->requested_bytes = launch.tiling->unique_bytes_per_block = 4'194'304;
    return launch;
}

// Its lines: all counts on one.
LaunchProfile with_line(LaunchProfile launch) {
    LineProfile line;
    line.file = "kernel.cu";
    line.line = 7;
    line.counters = launch.counters;
    line.tiling = launch.tiling;
    launch.lines = {line};
    return launch;
}

std::vector<Advice> of_rule(const LaunchProfile& launch, const std::string& rule, const Device& device = h200()) {
    std::vector<Advice> found;
    for (const Advice& advice : advise(launch, device))
        if (advice.rule == rule) found.push_back(advice);
    return found;
}
bool fires(const LaunchProfile& launch, const std::string& rule) { return !of_rule(launch, rule).empty(); }

TEST(Advice, NothingAgainstACoalescedCopy) {
    EXPECT_TRUE(advise(copy(), h200()).empty());
    EXPECT_TRUE(advise(with_line(copy()), h200()).empty());
}

TEST(Advice, NothingWithoutCounts) {
    LaunchProfile launch = copy();
    launch.counters[C::kGlobalLoadSectors] *= 8;
    ASSERT_TRUE(fires(launch, "coalesce"));
    LaunchProfile unobserved = launch;
    unobserved.observed = false;
    EXPECT_TRUE(advise(unobserved, h200()).empty());
    launch.hazards.emplace_back();
    EXPECT_TRUE(advise(launch, h200()).empty());
    EXPECT_TRUE(advise(LaunchProfile{}, h200()).empty());
    EXPECT_TRUE(advise(copy(), Device{}).empty());
}

TEST(Advice, EveryRuleHasANameOfItsOwn) {
    std::vector<std::string_view> names;
    for (const AdviceRule& rule : advice_rules()) names.push_back(rule.name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
    EXPECT_EQ(names.size(), 15u);
}

TEST(Advice, CoalesceFromTwiceTheSectors) {
    LaunchProfile launch = copy();
    launch.counters[C::kGlobalLoadSectors] = 8 * 131'072;
    const auto found = of_rule(with_line(launch), "coalesce");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].file, "kernel.cu");
    EXPECT_EQ(found[0].line, 7u);
    EXPECT_EQ(found[0].saves_bytes, 32u * 7 * 131'072);
    EXPECT_NEAR(found[0].speedup, 4.5, 0.001);  // (8 + 1) / (1 + 1) sectors
    EXPECT_NE(found[0].message.find("32.0 sectors a request where 4.0"), std::string::npos) << found[0].message;
    launch.counters[C::kGlobalLoadSectors] = 2 * 131'072;
    EXPECT_TRUE(fires(launch, "coalesce"));
    launch.counters[C::kGlobalLoadSectors] = 2 * 131'072 - 1;
    EXPECT_FALSE(fires(launch, "coalesce"));
}

TEST(Advice, SilentWhereTheSavingIsSmallOrSomethingElseBinds) {
    LaunchProfile launch = copy();
    // A line that wastes seven eighths of 4 % of the traffic.
    LineProfile line{"kernel.cu", 3, {}, {}};
    line.counters[C::kGlobalStoreRequests] = 400;
    line.counters[C::kGlobalStoreSectors] = 12'800;
    line.counters[C::kGlobalStoreIdealSectors] = 1600;
    launch.lines = {line};
    launch.counters[C::kGlobalStoreSectors] += 12'800;
    EXPECT_FALSE(fires(launch, "coalesce"));
    launch.lines[0].counters[C::kGlobalStoreSectors] = 40'000;
    EXPECT_TRUE(fires(launch, "coalesce"));
    launch.counters[C::kFp32Fma] = 20'000'000'000;
    EXPECT_FALSE(fires(launch, "coalesce"));
}

TEST(Advice, TileFromAPotentialOfOneAndAHalf) {
    // The 512 × 512 product in blocks of 16 × 16, as the formula says.
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kGlobalLoadRequests] = 8'388'608;
    c[C::kGlobalLoadSectors] = 16'777'216;
    c[C::kGlobalLoadIdealSectors] = 12'582'912;
    c[C::kGlobalLoadBytesRequested] = 1'073'741'824;
    launch.tiling->requested_bytes = 1'073'741'824;
    launch.tiling->unique_bytes_per_block = 67'108'864;
    const auto found = of_rule(with_line(launch), "tile");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].saves_bytes, 16'777'216u * 32 - 67'108'864);
    EXPECT_EQ(found[0].line, 7u);
    // Bound by the shared loads that take the place: one wavefront a request.
    EXPECT_GT(found[0].speedup, 3);
    EXPECT_LT(found[0].speedup, 4);
    EXPECT_NE(found[0].message.find("each byte 16 times: let its threads"), std::string::npos) << found[0].message;
    LaunchProfile table = launch;  // one address a request
    table.counters[C::kGlobalLoadSectors] = table.counters[C::kGlobalLoadRequests];
    EXPECT_NE(of_rule(table, "tile").at(0).message.find("constant memory"), std::string::npos);
    launch.tiling->unique_bytes_per_block = 1'073'741'824ULL * 2 / 3 + 1;
    EXPECT_FALSE(fires(launch, "tile"));
    launch.tiling.reset();
    EXPECT_FALSE(fires(launch, "tile"));
}

TEST(Advice, PadOnlyWhereConflictsCount) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kSharedLoadRequests] = 32'768;
    c[C::kSharedLoadWavefronts] = 32 * 32'768;
    c[C::kSharedLoadBankConflicts] = 31 * 32'768;
    launch.variables = {{"tile", "shared", 4096, 4096, "block", "grid", {32, 32}}};
    const auto found = of_rule(launch, "pad");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].saves_bytes, 128u * 31 * 32'768);
    EXPECT_NE(found[0].message.find("rows of tile one element longer, [32][33] instead of [32][32]"), std::string::npos)
        << found[0].message;
    c[C::kSharedLoadWavefronts] = 2 * 32'768;  // hidden behind the traffic
    c[C::kSharedLoadBankConflicts] = 32'768;
    EXPECT_FALSE(fires(launch, "pad"));
}

TEST(Advice, PadsWhatHasNoRowsByTheIndex) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kSharedLoadRequests] = 32'768;
    c[C::kSharedLoadWavefronts] = 16 * 32'768;
    c[C::kSharedLoadBankConflicts] = 15 * 32'768;
    c[C::kSharedLoadBytesRequested] = 128 * 32'768;
    launch.variables = {{"values", "shared", 8192, 4096, "block", "grid", {2048}}};
    const std::string message = of_rule(launch, "pad").at(0).message;
    EXPECT_NE(message.find("i + i / 32"), std::string::npos) << message;
    EXPECT_EQ(message.find("[T]"), std::string::npos) << message;
    c[C::kSharedLoadBytesRequested] = 256 * 32'768;  // doubles: a row of banks holds 16
    EXPECT_NE(of_rule(launch, "pad").at(0).message.find("i + i / 16"), std::string::npos);
}

TEST(Advice, NoPaddingThatLeavesTheConflicts) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kSharedLoadRequests] = 32'768;
    c[C::kSharedLoadWavefronts] = 16 * 32'768;
    c[C::kSharedLoadBankConflicts] = 15 * 32'768;
    c[C::kSharedConflictsIfPadded] = 7 * 32'768;
    EXPECT_TRUE(fires(launch, "pad"));
    c[C::kSharedConflictsIfPadded] = 8 * 32'768;
    EXPECT_FALSE(fires(launch, "pad"));
}

TEST(Advice, AtomicsWhereThreadsMeet) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kGlobalReductionRequests] = 32'768;
    c[C::kGlobalReductionSectors] = c[C::kGlobalAtomicThreadOperations] = 1'048'576;
    c[C::kGlobalAtomicAddresses] = 1'000'000;  // a scatter: lanes hardly meet
    c[C::kGlobalAtomicBlockAddresses] = 900'000;
    EXPECT_FALSE(fires(launch, "atomics"));
    c[C::kGlobalAtomicBlockAddresses] = 1'048'576 * 2 / 3 + 1;
    EXPECT_FALSE(fires(launch, "atomics"));
    c[C::kGlobalAtomicBlockAddresses] = 1'048'576 * 2 / 3;
    EXPECT_NE(of_rule(launch, "atomics").at(0).message.find("add once a block"), std::string::npos);
    // More addresses than a block has room for, with lanes that meet.
    launch.grid = {2, 1, 1};
    EXPECT_FALSE(fires(launch, "atomics"));
    c[C::kGlobalAtomicAddresses] = 524'288;
    EXPECT_NE(of_rule(launch, "atomics").at(0).message.find("within the warp"), std::string::npos);
    launch.grid = {4096, 1, 1};
    c[C::kGlobalReductionSectors] = 4096;  // one a block: 1.5 % of the traffic
    EXPECT_FALSE(fires(launch, "atomics"));
}

TEST(Advice, SharedAtomicsWhereLanesMeet) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kSharedAtomicRequests] = 32'768;
    c[C::kSharedAtomicBankConflicts] = 31 * 32'768;
    c[C::kSharedAtomicThreadOperations] = 1'048'576;
    c[C::kSharedAtomicAddresses] = 32'768;
    EXPECT_TRUE(fires(launch, "atomics"));
    c[C::kSharedAtomicAddresses] = 1'048'576;  // 32 words of one bank
    EXPECT_FALSE(fires(launch, "atomics"));
}

TEST(Advice, ARegisterForAnElementOfItsOwn) {
    LaunchProfile launch = copy();
    // Two buffers: `y`, whose thread asks for its element 8 times, and `a`, once.
    launch.counters[C::kGlobalLoadRequests] = 2 * 262'144;
    launch.counters[C::kGlobalLoadSectors] = launch.counters[C::kGlobalLoadIdealSectors] = 2 * 1'048'576;
    launch.counters[C::kGlobalLoadBytesRequested] = 67'108'864;
    Tiling of_y, of_a;
    of_y.requested_bytes = of_a.requested_bytes = of_a.unique_bytes_per_block = 33'554'432;
    of_y.unique_bytes_per_block = 4'194'304;
    of_y.own_share = of_y.register_share = 0.875;
    launch.buffers = {{0, "a", 33'554'432, of_a}, {1, "y", 4'194'304, of_y}};
    launch.tiling->requested_bytes = 67'108'864;
    launch.tiling->unique_bytes_per_block = 37'748'736;
    launch.tiling->own_share = launch.tiling->register_share = 0.4375;
    EXPECT_FALSE(fires(with_line(launch), "tile"));
    const auto found = of_rule(with_line(launch), "register");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("its element of y 8 times"), std::string::npos) << found[0].message;
    // With barriers, other threads may change it meanwhile.
    launch.counters[C::kBarriers] = 32'768;
    EXPECT_FALSE(fires(with_line(launch), "register"));
    launch.threads_meet = false;
    EXPECT_TRUE(fires(with_line(launch), "register"));
    launch.counters[C::kBarriers] = 0;
    // An index known at run time only: no register, and no tile either.
    launch.buffers[1].tiling.register_share = launch.tiling->register_share = 0;
    EXPECT_TRUE(of_rule(with_line(launch), "register").empty());
    EXPECT_FALSE(fires(with_line(launch), "tile"));
    // Asked for by other threads.
    launch.buffers[1].tiling.own_share = launch.tiling->own_share = 0;
    const auto tile = of_rule(with_line(launch), "tile");
    ASSERT_EQ(tile.size(), 1u);
    EXPECT_NE(tile[0].message.find("each byte of y 8 times"), std::string::npos) << tile[0].message;
}

TEST(Advice, StrayDoublesOnOneLine) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kFp64Mul] = c[C::kFp32ToFp64] = c[C::kFp64ToFp32] = 1'048'576;
    const auto hidden = of_rule(with_line(launch), "fp64");  // behind memory, and worth a word all the same
    ASSERT_EQ(hidden.size(), 1u);
    EXPECT_EQ(hidden[0].speedup, 1);
    EXPECT_NE(hidden[0].message.find("the h200 computes fp32 2 times as fast as fp64"), std::string::npos)
        << hidden[0].message;
    const Device t4 = load_device("t4").value();
    c[C::kFp64Mul] = 20'000'000;
    EXPECT_GT(of_rule(with_line(launch), "fp64", t4).at(0).speedup, 2);
    c[C::kFp64ToFp32] = 0;  // a sum that is double on purpose
    EXPECT_FALSE(fires(with_line(launch), "fp64"));
    c[C::kFp64ToFp32] = 1'048'576;
    c[C::kFp64Mul] = 0;
    EXPECT_FALSE(fires(with_line(launch), "fp64"));
}

TEST(Advice, SmallSavingsAtTheSizeThatFillsTheDevice) {
    LaunchProfile launch = copy();
    launch.counters = {};
    CounterSet& c = launch.counters;
    launch.grid = {1, 1, 1};
    c[C::kGlobalLoadRequests] = 8;
    c[C::kGlobalLoadSectors] = 256;
    c[C::kGlobalLoadIdealSectors] = 32;
    const auto small = of_rule(launch, "coalesce");
    ASSERT_EQ(small.size(), 1u);
    // 256 threads of 16 registers: 8 blocks on each of 132 SMs.
    EXPECT_NE(small[0].message.find("of a launch of 1 block that is nothing to be seen, but with the h200 full, 1,056 "
                                    "such blocks, it is 7.6 MB and 1.6 µs"),
              std::string::npos)
        << small[0].message;
    launch.grid = {1056, 1, 1};
    EXPECT_TRUE(of_rule(launch, "coalesce").empty());
    launch.grid = {4096, 1, 1};
    c[C::kGlobalLoadRequests] = 32'768;
    c[C::kGlobalLoadSectors] = 1'048'576;
    c[C::kGlobalLoadIdealSectors] = 131'072;
    EXPECT_EQ(of_rule(launch, "coalesce").at(0).message.find("nothing to be seen"), std::string::npos);
}

TEST(Advice, LocalMemoryUnlessTheAssemblerHasNone) {
    LaunchProfile launch = copy();
    launch.local_bytes_per_thread = 64;
    launch.counters[C::kLocalLoadRequests] = 32'768;
    launch.counters[C::kLocalLoadSectors] = 131'072;
    launch.counters[C::kLocalLoadBytesRequested] = 4'194'304;
    const auto found = of_rule(launch, "local");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].speedup, 1.5, 0.001);
    EXPECT_EQ(found[0].message.find("different elements"), std::string::npos) << found[0].message;
    launch.counters[C::kLocalLoadSectors] *= 8;
    EXPECT_NE(of_rule(launch, "local").at(0).message.find("different elements"), std::string::npos);
    launch.local_bytes_per_thread = 0;
    EXPECT_FALSE(fires(launch, "local"));
}

TEST(Advice, Spills) {
    LaunchProfile launch = copy();
    launch.spill_store_bytes = launch.spill_load_bytes = 8;
    const auto found = of_rule(launch, "spills");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].saves_bytes, 16u * 1'048'576);
    EXPECT_NEAR(found[0].speedup, 3, 0.01);
    LaunchProfile computing = launch;
    computing.counters[C::kFp32Fma] = 2'000'000'000;
    EXPECT_FALSE(fires(computing, "spills"));
    // A cubin tells the room for spills alone.
    launch.spill_store_bytes = launch.spill_load_bytes = 0;
    EXPECT_FALSE(fires(launch, "spills"));
    launch.variables = {{"spills", "local", 8, 1'048'576, "thread", "grid"}};
    EXPECT_EQ(of_rule(launch, "spills").at(0).saves_bytes, 16u * 1'048'576);
}

TEST(Advice, ConstantWhereLanesDiffer) {
    LaunchProfile launch = copy();
    launch.counters[C::kConstantRequests] = 524'288;
    launch.counters[C::kConstantPasses] = 32 * 524'288;
    EXPECT_TRUE(fires(launch, "constant"));
    launch.counters[C::kConstantPasses] = 524'288;
    EXPECT_FALSE(fires(launch, "constant"));
}

TEST(Advice, OccupancyWhereMemoryWaits) {
    LaunchProfile launch = copy();
    launch.registers_per_thread = 128;  // 16 of 64 warps
    const auto found = of_rule(launch, "occupancy");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("16 of 64 warps"), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find("registers fewer a thread (of 128) would make it"), std::string::npos)
        << found[0].message;
    EXPECT_GT(found[0].speedup, 1.05);
    LaunchProfile carved = copy();  // 8 KB a block fit 25 times, but not into the carve-out that the program chose
    carved.registers_per_thread = 32;
    carved.static_shared_bytes = 8192;
    EXPECT_FALSE(fires(carved, "occupancy"));
    carved.occupancy_profile.emplace().carveout_percent = 10;
    EXPECT_TRUE(fires(carved, "occupancy"));
    LaunchProfile wide = launch;  // 512 bytes a request: enough under way
    for (const C counter : {C::kGlobalLoadRequests, C::kGlobalStoreRequests}) wide.counters[counter] /= 8;
    EXPECT_FALSE(fires(wide, "occupancy"));
    LaunchProfile computing = launch;
    computing.counters[C::kFp32Fma] = 2'000'000'000;
    EXPECT_FALSE(fires(computing, "occupancy"));
    LaunchProfile few = launch;  // no block waits for a place
    few.grid = {200, 1, 1};
    EXPECT_FALSE(fires(few, "occupancy"));
    launch.registers_per_thread = 40;  // 48 warps
    EXPECT_FALSE(fires(launch, "occupancy"));
}

TEST(Advice, LanesIdleByBranchAndByShape) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kInstructions] = 40'000'000;
    c[C::kThreadInstructions] = 40'000'000u * 20;
    EXPECT_FALSE(fires(launch, "divergence"));  // no branch to blame
    c[C::kDivergentBranches] = 10'000;
    const auto found = of_rule(launch, "divergence");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].speedup, 1.6, 0.01);
    c[C::kThreadInstructions] = 40'000'000u * 25;
    EXPECT_FALSE(fires(launch, "divergence"));
    EXPECT_FALSE(fires(launch, "partial-warps"));
    launch.block = {33, 1, 1};
    EXPECT_TRUE(fires(launch, "partial-warps"));
    c[C::kInstructions] = 400'000;  // hidden behind memory
    c[C::kThreadInstructions] = 12'800'000;
    EXPECT_FALSE(fires(launch, "partial-warps"));
}

TEST(Advice, GridBelowAQuarterOfTheSms) {
    LaunchProfile launch = copy();
    launch.grid = {32, 1, 1};
    launch.counters[C::kInstructions] = 4'000'000;
    const auto found = of_rule(launch, "grid");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].speedup, 132.0 / 32, 0.001);
    launch.grid = {33, 1, 1};
    EXPECT_FALSE(fires(launch, "grid"));
    launch.grid = {32, 1, 1};
    launch.counters[C::kInstructions] = 4'000;  // over before a launch has begun
    for (const C counter : {C::kGlobalLoadSectors, C::kGlobalStoreSectors}) launch.counters[counter] = 1000;
    EXPECT_FALSE(fires(launch, "grid"));
}

TEST(Advice, SharedMemoryThatHelpsNobody) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kSharedLoadRequests] = c[C::kSharedLoadWavefronts] = 32'768;
    c[C::kSharedStoreRequests] = c[C::kSharedStoreWavefronts] = 32'768;
    EXPECT_FALSE(fires(launch, "no-reuse"));  // nobody looked who reads what
    launch.shared_reuse = {{"tile", 0, 1024, 4'194'304, 0}};
    const auto found = of_rule(launch, "no-reuse");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].speedup, 1);
    launch.shared_reuse[0].read_by_others_bytes = 1;
    EXPECT_FALSE(fires(launch, "no-reuse"));
    launch.shared_reuse[0].read_by_others_bytes = 0;
    launch.shared_reuse[0].indexed_at_run_time = true;  // no registers for that
    EXPECT_FALSE(fires(launch, "no-reuse"));
    launch.shared_reuse[0].indexed_at_run_time = false;
    launch.tiling->requested_bytes = 2 * launch.tiling->unique_bytes_per_block;
    EXPECT_FALSE(fires(launch, "no-reuse"));
}

TEST(Advice, BarriersOnlyWhereNoThreadsMeet) {
    LaunchProfile launch = copy();
    launch.counters[C::kBarriers] = 32'768;
    EXPECT_FALSE(fires(launch, "barriers"));  // nobody looked
    launch.threads_meet = false;
    EXPECT_TRUE(fires(launch, "barriers"));
    launch.threads_meet = true;
    EXPECT_FALSE(fires(launch, "barriers"));
}

TEST(Advice, TheMostRewardingFirstAndNotTooMuch) {
    LaunchProfile launch = copy();
    for (std::uint32_t line = 1; line <= 4; ++line) {
        LineProfile profile{"kernel.cu", line, {}, {}};
        profile.counters[C::kGlobalLoadRequests] = 32'768;
        profile.counters[C::kGlobalLoadSectors] = 131'072 * (4 + line);
        profile.counters[C::kGlobalLoadIdealSectors] = 131'072;
        launch.counters += profile.counters;
        launch.lines.push_back(profile);
    }
    launch.counters[C::kBarriers] = launch.lines[0].counters[C::kBarriers] = 32'768;
    launch.threads_meet = false;
    const auto all = advise(launch, h200());
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].line, 4u);
    EXPECT_EQ(all[1].line, 3u);
    EXPECT_EQ(all[2].rule, "barriers");
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i].speedup, all[i - 1].speedup);
}

// What an H200 gained by following the advice is within what the advice had promised at most.
TEST(Advice, HardwareGainsNoMoreThanPromised) {
    std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/truth/counters-h200.json");
    const auto truth = nlohmann::json::parse(file);
    const auto row = [&](const std::string& name) {
        for (const auto& entry : truth)
            if (entry["case"].get<std::string>().starts_with(name)) return entry;
        ADD_FAILURE() << name;
        return nlohmann::json();
    };
    const auto nanoseconds = [&](const std::string& name) {
        return row(name)["counters"]["gpu__time_duration.sum"].get<double>();
    };
    // The naive transpose: 1,048,576 store sectors where 131,072 would do, beside as many loads.
    LaunchProfile transpose = copy();
    transpose.counters[C::kGlobalStoreSectors] = 1'048'576;
    EXPECT_LE(nanoseconds("transpose_naive_1024") / nanoseconds("transpose_padded_1024"),
              of_rule(transpose, "coalesce").at(0).speedup);
    LaunchProfile conflicts = copy();
    conflicts.counters[C::kSharedLoadRequests] = conflicts.counters[C::kSharedStoreRequests] = 32'768;
    conflicts.counters[C::kSharedStoreWavefronts] = 32'768;
    conflicts.counters[C::kSharedLoadWavefronts] = 1'048'576;
    conflicts.counters[C::kSharedLoadBankConflicts] = 1'015'808;
    EXPECT_LE(nanoseconds("transpose_tiled_1024") / nanoseconds("transpose_padded_1024"),
              of_rule(conflicts, "pad").at(0).speedup);
}

}  // namespace
}  // namespace tilescope::models
