// Rules of advice about where data lie and how they are reached, on made-up counts: just beyond the threshold, and just
// short of it.
#include <gtest/gtest.h>

#include "tests/models/advice_cases.h"

namespace tilescope::models {
namespace {

using C = Counter;

TEST(Advice, CoalesceFromTwiceTheSectors) {
    LaunchProfile launch = copy();
    launch.counters[C::kGlobalLoadSectors] = 8 * 131'072;
    const auto found = of_rule(with_line(launch), "coalesce");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].file, "kernel.cu");
    EXPECT_EQ(found[0].line, 7u);
    EXPECT_EQ(found[0].saves_bytes, 32u * 7 * 131'072);
    EXPECT_NEAR(found[0].speedup, 4.5, 0.001);  // (8 + 1) / (1 + 1) sectors
    EXPECT_NE(found[0].message.find("32.0 sectors per request, 4.0 would do"), std::string::npos) << found[0].message;
    launch.counters[C::kGlobalLoadSectors] = 2 * 131'072;
    EXPECT_TRUE(fires(launch, "coalesce"));
    launch.counters[C::kGlobalLoadSectors] = 2 * 131'072 - 1;
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
    // Bound by the shared loads that take the place: one wavefront a request, and one for four of those whose lanes all
    // want the same.
    EXPECT_GT(found[0].speedup, 4);
    EXPECT_LT(found[0].speedup, 7);
    EXPECT_NE(found[0].message.find("each byte 16 times. Load a tile"), std::string::npos) << found[0].message;
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
    launch.variables = {
        {"tile", VariableSpace::kShared, 4096, 4096, VariableScope::kBlock, VariableLifetime::kGrid, {32, 32}}};
    const auto found = of_rule(launch, "pad");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].saves_bytes, 128u * 31 * 32'768);
    EXPECT_NE(found[0].message.find("Pad tile from [32][32] to [32][33]"), std::string::npos) << found[0].message;
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
    launch.variables = {
        {"values", VariableSpace::kShared, 8192, 4096, VariableScope::kBlock, VariableLifetime::kGrid, {2048}}};
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
    EXPECT_NE(of_rule(launch, "atomics").at(0).message.find("add once per block"), std::string::npos);
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
    EXPECT_TRUE(fires(launch, "shared-atomics"));
    c[C::kSharedAtomicAddresses] = 1'048'576;  // 32 words of one bank
    EXPECT_FALSE(fires(launch, "shared-atomics"));
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
    // What was counted is no guess: 1,000,000 sectors, which are among the launch's own.
    LaunchProfile counted = launch;
    counted.local_bytes_per_thread = 8;
    counted.spill_traffic = {true, {150'000, 150'000, 600'000, 19'200'000}, {100'000, 100'000, 400'000, 12'800'000}};
    counted.counters[C::kLocalLoadSectors] = 600'000;
    counted.counters[C::kLocalLoadRequests] = 150'000;
    counted.counters[C::kLocalLoadBytesRequested] = 19'200'000;
    counted.counters[C::kLocalStoreSectors] = 400'000;
    counted.counters[C::kLocalStoreRequests] = 100'000;
    counted.counters[C::kLocalStoreBytesRequested] = 12'800'000;
    const auto exactly = of_rule(counted, "spills");
    ASSERT_EQ(exactly.size(), 1u);
    EXPECT_EQ(exactly[0].saves_bytes, 32'000'000u);
    EXPECT_EQ(exactly[0].message.find("as if"), std::string::npos) << exactly[0].message;
    EXPECT_FALSE(fires(counted, "local"));  // they are no arrays
    // A cubin tells the room for spills alone.
    launch.spill_store_bytes = launch.spill_load_bytes = 0;
    EXPECT_FALSE(fires(launch, "spills"));
    launch.variables = {
        {"spills", VariableSpace::kLocal, 8, 1'048'576, VariableScope::kThread, VariableLifetime::kGrid}};
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

}  // namespace
}  // namespace tilescope::models
