// What each rule of advice goes by: variant, figures and names, as the words get them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/models/advice_cases.h"

namespace tilescope::models {
namespace {

using C = Counter;
using F = AdviceFigure;
using V = AdviceVariant;

AdviceFacts facts_of(const LaunchProfile& launch, const char* rule) {
    const auto found = of_rule(launch, rule);
    EXPECT_EQ(found.size(), 1u) << rule;
    return found.empty() ? AdviceFacts{} : found[0].facts;
}

TEST(AdviceFacts, OfTraffic) {
    LaunchProfile launch = copy();
    launch.counters[C::kGlobalStoreSectors] = 8 * 131'072;
    const AdviceFacts wide = facts_of(launch, "coalesce");
    EXPECT_EQ(wide.variant, V::kStores);
    EXPECT_EQ(wide.figures, (AdviceFigures{{F::kActual, 32}, {F::kIdeal, 4}}));
    EXPECT_TRUE(wide.buffers.empty() && wide.variable.empty() && wide.limiters.empty());

    LaunchProfile meeting = copy();
    CounterSet& c = meeting.counters;
    c[C::kGlobalReductionRequests] = 32'768;
    c[C::kGlobalReductionSectors] = c[C::kGlobalAtomicThreadOperations] = 1'048'576;
    c[C::kGlobalAtomicAddresses] = 1'048'576;
    c[C::kGlobalAtomicBlockAddresses] = 524'288;
    const AdviceFacts blocks = facts_of(meeting, "atomics");
    EXPECT_EQ(blocks.variant, V::kMeetInBlocks);
    EXPECT_EQ(blocks.figures, (AdviceFigures{{F::kOperations, 1'048'576}, {F::kTurns, 1'048'576}, {F::kTimes, 2}}));

    LaunchProfile spilling = copy();
    spilling.spill_store_bytes = spilling.spill_load_bytes = 8;
    EXPECT_EQ(facts_of(spilling, "spills").variant, V::kAsIfOnce);
    EXPECT_EQ(facts_of(spilling, "spills").figures, (AdviceFigures{{F::kSpilledBytes, 8}}));

    LaunchProfile local = copy();
    local.local_bytes_per_thread = 64;
    local.counters[C::kLocalLoadRequests] = 32'768;
    local.counters[C::kLocalLoadSectors] = 131'072;
    local.counters[C::kLocalLoadBytesRequested] = 4'194'304;
    EXPECT_EQ(facts_of(local, "local").variant, V::kNone);
    local.counters[C::kLocalLoadSectors] *= 8;
    EXPECT_EQ(facts_of(local, "local").variant, V::kScattered);
    EXPECT_EQ(facts_of(local, "local").figures, (AdviceFigures{{F::kActual, 32}, {F::kIdeal, 4}}));
}

TEST(AdviceFacts, OfTheChip) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kSharedLoadRequests] = 32'768;
    c[C::kSharedLoadWavefronts] = 32 * 32'768;
    c[C::kSharedLoadBankConflicts] = 31 * 32'768;
    c[C::kSharedLoadBytesRequested] = 256 * 32'768;
    AdviceFacts padding = facts_of(launch, "pad");
    EXPECT_EQ(padding.variant, V::kLoads);
    EXPECT_EQ(padding.variable, "");
    EXPECT_EQ(padding.figures, (AdviceFigures{{F::kActual, 32}, {F::kIdeal, 1}, {F::kRowElements, 16}}));
    launch.variables = {
        {"tile", VariableSpace::kShared, 4096, 4096, VariableScope::kBlock, VariableLifetime::kGrid, {32, 32}}};
    padding = facts_of(launch, "pad");
    EXPECT_EQ(padding.variable, "tile");
    EXPECT_EQ(padding.extents, (std::vector<std::uint64_t>{32, 32}));

    LaunchProfile constant = copy();
    constant.counters[C::kConstantRequests] = 524'288;
    constant.counters[C::kConstantPasses] = 32 * 524'288;
    EXPECT_EQ(facts_of(constant, "constant").figures, (AdviceFigures{{F::kActual, 32}}));

    LaunchProfile waiting = copy();
    waiting.counters[C::kBarriers] = 32'768;
    waiting.threads_meet = false;
    EXPECT_EQ(facts_of(waiting, "barriers").figures, (AdviceFigures{{F::kBarriers, 32'768}}));
}

TEST(AdviceFacts, OfReuseNameTheBuffers) {
    LaunchProfile launch = copy();
    launch.counters[C::kGlobalLoadRequests] = 2 * 262'144;
    launch.counters[C::kGlobalLoadSectors] = launch.counters[C::kGlobalLoadIdealSectors] = 2 * 1'048'576;
    launch.counters[C::kGlobalLoadBytesRequested] = 67'108'864;
    Tiling of_y, of_a;
    of_y.requested_bytes = of_a.requested_bytes = of_a.unique_bytes_per_block = 33'554'432;
    of_y.unique_bytes_per_block = 4'194'304;
    launch.buffers = {{0, "a", 33'554'432, of_a}, {1, "y", 4'194'304, of_y}};
    launch.tiling->requested_bytes = 67'108'864;
    launch.tiling->unique_bytes_per_block = 37'748'736;
    const AdviceFacts tile = facts_of(with_line(launch), "tile");
    EXPECT_EQ(tile.variant, V::kNone);
    EXPECT_EQ(tile.buffers, (std::vector<AskedBuffer>{{1, "y", 8}}));
    EXPECT_EQ(tile.more_buffers, 0u);
    launch.buffers[1].tiling.own_share = launch.buffers[1].tiling.register_share = 0.875;
    launch.tiling->own_share = launch.tiling->register_share = 0.4375;
    const AdviceFacts kept = facts_of(with_line(launch), "register");
    EXPECT_EQ(kept.buffers, (std::vector<AskedBuffer>{{1, "y", 8}}));
    EXPECT_EQ(kept.figures[F::kTimes], 8);
}

TEST(AdviceFacts, OfTheShape) {
    LaunchProfile launch = copy();
    launch.registers_per_thread = 128;
    const AdviceFacts occupancy = facts_of(launch, "occupancy");
    EXPECT_EQ(occupancy.variant, V::kFewerRegisters);
    EXPECT_EQ(occupancy.limiters, std::vector{SmResource::kRegisters});
    EXPECT_EQ(occupancy.figures[F::kWarps], 16);
    EXPECT_EQ(occupancy.figures[F::kMaxWarps], 64);
    EXPECT_EQ(occupancy.figures[F::kChangeOf], 128);
    EXPECT_LT(occupancy.figures[F::kChange], 0);
    EXPECT_GT(occupancy.figures[F::kWarpsThen], 16);

    LaunchProfile idle = copy();
    idle.counters[C::kInstructions] = 40'000'000;
    idle.counters[C::kThreadInstructions] = 40'000'000u * 16;
    idle.counters[C::kDivergentBranches] = 10'000;
    EXPECT_EQ(facts_of(idle, "divergence").figures, (AdviceFigures{{F::kActiveShare, 0.5}, {F::kBranches, 10'000}}));
    idle.counters[C::kDivergentBranches] = 0;
    idle.block = {33, 1, 1};
    EXPECT_EQ(facts_of(idle, "partial-warps").figures,
              (AdviceFigures{{F::kThreads, 33}, {F::kLanes, 64}, {F::kWarpSize, 32}, {F::kChangeOf, 256}}));

    LaunchProfile tiny = copy();
    tiny.grid = {32, 1, 1};
    tiny.counters[C::kInstructions] = 4'000'000;
    tiny.counters[C::kThreadInstructions] = 4'000'000 * 32;
    EXPECT_EQ(facts_of(tiny, "grid").figures, (AdviceFigures{{F::kBlocks, 32}, {F::kSms, 132}}));
}

TEST(AdviceFacts, OfASavingThatOnlyAFullDeviceShows) {
    LaunchProfile launch = copy();
    launch.counters = {};
    launch.grid = {1, 1, 1};
    launch.counters[C::kGlobalLoadRequests] = 8;
    launch.counters[C::kGlobalLoadSectors] = 256;
    launch.counters[C::kGlobalLoadIdealSectors] = 32;
    const AdviceFacts facts = facts_of(launch, "coalesce");
    EXPECT_EQ(facts.figures[F::kBlocks], 1);
    EXPECT_EQ(facts.figures[F::kFullBlocks], 1056);
    EXPECT_EQ(facts.figures[F::kFullBytes], 32. * 224 * 1056);
    EXPECT_NEAR(facts.figures[F::kFullMicroseconds], 1.6, 0.05);
    EXPECT_FALSE(facts_of(
                     [] {
                         LaunchProfile large = copy();
                         large.counters[C::kGlobalLoadSectors] *= 8;
                         return large;
                     }(),
                     "coalesce")
                     .figures.find(F::kFullBlocks));
}

}  // namespace
}  // namespace tilescope::models
