// Each rule of advice on made-up counts: just beyond its threshold, and just short of it. Those about memory are in
// advice_memory_test.cpp; tests/advice has real kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scope/models/advice_program.h"
#include "scope/models/bounds.h"
#include "scope/models/time/launch_time.h"
#include "tests/models/advice_cases.h"
#include "tests/places.h"

namespace tilescope::models {
namespace {

using C = Counter;

TEST(Advice, NothingAgainstACoalescedCopy) {
    EXPECT_TRUE(advise(copy(), h200()).empty());
    EXPECT_TRUE(advise(with_line(copy()), h200()).empty());
}

TEST(Advice, SaysWhatItSavesOfAModelledTime) {
    LaunchProfile launch = copy();
    launch.counters[C::kGlobalLoadSectors] *= 8;
    ASSERT_TRUE(fires(launch, "coalesce"));
    EXPECT_FALSE(of_rule(launch, "coalesce")[0].saves_microseconds) << "no caches, no time";
    const auto sectors = static_cast<double>(launch.counters[C::kGlobalLoadSectors]);
    launch.counters.modelled = true;
    launch.counters[C::kL2ReadSectors] = launch.counters[C::kGlobalLoadSectors];
    launch.blocks_per_sm = 8;
    launch.work = WarpWork{};
    launch.work->instructions = (*launch.work)[Wait::kGlobal] = sectors / 32;
    launch.work->load_lines = launch.work->load_passes = sectors;
    const auto time = launch_time(h200(), launch);
    ASSERT_TRUE(time);
    const auto saves = of_rule(launch, "coalesce")[0].saves_microseconds;
    ASSERT_TRUE(saves);
    EXPECT_GT(*saves, 0.1 * time->microseconds);
    EXPECT_LT(*saves, time->microseconds);
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

TEST(Advice, EveryKindHasARuleInTheOrderOfTheKinds) {
    ASSERT_EQ(advice_rules().size() + program_rules().size(), report::kNames<AdviceKind>.size());
    for (std::size_t i = 0; i < program_rules().size(); ++i)
        EXPECT_EQ(program_rules()[i].kind, report::kNames<AdviceKind>[advice_rules().size() + i].value);
    for (std::size_t i = 0; i < advice_rules().size(); ++i)
        EXPECT_EQ(advice_rules()[i].kind, report::kNames<AdviceKind>[i].value) << report::kNames<AdviceKind>[i].name;
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

TEST(Advice, StrayDoublesOnOneLine) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kFp64Mul] = c[C::kFp32ToFp64] = c[C::kFp64ToFp32] = 1'048'576;
    const auto hidden = of_rule(with_line(launch), "fp64");  // behind memory, and worth a word all the same
    ASSERT_EQ(hidden.size(), 1u);
    EXPECT_EQ(hidden[0].speedup, 1);
    EXPECT_NE(hidden[0].message.find("the H200 computes fp32 2 times as fast as fp64"), std::string::npos)
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
    EXPECT_NE(
        small[0].message.find(
            "The effect is too small to see at 1 block; on a full H200 (1,056 blocks) it saves 7.6 MB and 1.6 µs"),
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

TEST(Advice, OccupancyWhereMemoryWaits) {
    LaunchProfile launch = copy();
    launch.registers_per_thread = 128;  // 16 of 64 warps
    const auto found = of_rule(launch, "occupancy");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("16 of 64 warps"), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find("registers fewer per thread (of 128), "), std::string::npos) << found[0].message;
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

TEST(Advice, GridOfFewerBlocksThanSms) {
    LaunchProfile launch = copy();
    launch.grid = {32, 1, 1};
    launch.counters[C::kInstructions] = 4'000'000;
    launch.counters[C::kThreadInstructions] = 4'000'000 * 32;
    const auto found = of_rule(launch, "grid");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].speedup, 132.0 / 32, 0.001);
    launch.grid = {130, 1, 1};  // 132 SMs: what is left idle is less than 5 %
    EXPECT_FALSE(fires(launch, "grid"));
    launch.grid = {100, 1, 1};
    EXPECT_TRUE(fires(launch, "grid"));
    launch.static_shared_bytes = 16'384;  // large blocks may be worth it for what they share
    EXPECT_FALSE(fires(launch, "grid"));
    launch.static_shared_bytes = 0;
    launch.counters[C::kThreadInstructions] /= 2;  // lanes that are idle would be so in more blocks, too
    EXPECT_FALSE(fires(launch, "grid"));
    launch.counters[C::kThreadInstructions] *= 2;
    launch.grid = {32, 1, 1};
    launch.counters[C::kInstructions] = 4'000;  // over before a launch has begun
    for (const C counter : {C::kGlobalLoadSectors, C::kGlobalStoreSectors}) launch.counters[counter] = 1000;
    EXPECT_FALSE(fires(launch, "grid"));
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
    // One change in four lines, the one that wastes most first.
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].line, 4u);
    EXPECT_EQ(all[0].facts.lines, (std::vector<std::uint32_t>{3, 2, 1}));
    EXPECT_EQ(all[1].rule, AdviceKind::kBarriers);
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i].speedup, all[i - 1].speedup);
}

// What an H200 gained by following the advice is within what the advice had promised at most.
TEST(Advice, HardwareGainsNoMoreThanPromised) {
    std::ifstream file(source_dir() + "/tests/truth/counters-h200.json");
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
