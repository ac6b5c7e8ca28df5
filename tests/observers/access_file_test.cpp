// Which access a scheduler hands over next, what becomes of stores that one warp makes one behind the other, and when
// warps pass through shared memory.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/replay.h"
#include "scope/observers/hierarchy/scheduler/access_file.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

// Warps as they go, each by its number, which is its age, too.
std::string order_of(AccessFile& file, std::size_t in_order) {
    std::string order;
    while (!file.empty()) order += std::to_string(file.pop(100, in_order).warp);
    return order;
}

TEST(AccessFile, TheFirstKeepTheirOrderAndOfTheOthersTheOldestIsNext) {
    AccessFile file;
    std::uint64_t time = 0;
    for (const std::uint32_t warp : {7u, 5u, 6u, 4u, 3u, 1u, 2u}) file.push({warp, warp, time++, false}, 4);
    EXPECT_EQ(order_of(file, 4), "7564123");
}

TEST(AccessFile, WhatPassesThroughSharedMemoryGoesByAgeAlone) {
    AccessFile file;
    std::uint64_t time = 0;
    for (const std::uint32_t warp : {7u, 5u, 6u, 4u}) file.push({warp, warp, time++, true}, 4);
    EXPECT_EQ(order_of(file, 4), "4567");
}

TEST(AccessFile, WhatCameBeforeOthersStandsBeforeThem) {
    AccessFile file;
    file.push({1, 1, 20, false}, 4);
    file.push({2, 2, 40, false}, 4);
    file.push({0, 0, 4, false}, 4);  // behind a store of its warp that came at 0 and has just gone
    file.push({3, 3, 40, false}, 4);
    EXPECT_EQ(order_of(file, 4), "0123");
}

TEST(AccessFile, WhoJoinsTheFileComesThen) {
    AccessFile file;
    for (std::uint32_t warp = 0; warp < 3; ++warp) file.push({warp, warp, warp, false}, 2);
    EXPECT_EQ(file.pop(50, 2).came, 0u);
    EXPECT_EQ(file.pop(60, 2).came, 1u);
    EXPECT_EQ(file.pop(70, 2).came, 50u) << "it was outside before";
}

// Sectors that reach L2 of eight warps for each scheduler that load a line each, one a little behind the other, and
// then store four times to the same four lines of their own, faster than these leave.
std::uint64_t sectors_of(bool is_strong) {
    constexpr std::uint32_t kWarps = 32, kStores = 4, kLines = 4;
    HierarchyRules rules = one_part();
    rules.warps = kWarps;
    rules.stores.line_cycles = 1.7;
    rules.stores.sector_cycles = 1.6;
    BlockTraffic traffic;
    Shape stores{1, RequestKind::kStore, false, true, kLines};
    stores.is_strong = is_strong;
    traffic.words = {0, Shape{0, RequestKind::kLoad, false, false, 1}.packed(), whole(15).packed(), stores.packed()};
    for (std::int64_t line = 0; line < kLines; ++line) traffic.words.push_back(Piece{line, 15, 15}.packed());
    for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
        traffic.requests.push_back({1000 + warp, 0, 1, warp, 0, 4, 8 * (warp / 4)});
        for (unsigned i = 0; i < kStores; ++i)
            traffic.requests.push_back({16 * std::uint64_t{warp}, 0, 3, warp, i == 0 ? 1u : 0u, 4, 4});
    }
    Replay replay(rules, 1, 2, std::make_shared<SecondLevel>(rules));
    replay.deliver(std::move(traffic));
    EXPECT_TRUE(replay.is_complete());
    return replay.traffic()[1].l2_writes;
}

TEST(StoresOfOneWarp, GoTogetherWhereTheWayIsBusy) {
    constexpr std::uint64_t kOnce = 32 * 4 * 4;
    EXPECT_LT(sectors_of(false), kOnce * 2);
    EXPECT_GT(sectors_of(true), kOnce * 3) << "volatile ones were measured to take turns";
}

// Cycles of so many warps that have 400 passes through shared memory each, and a chain of so many cycles meanwhile.
std::uint64_t cycles_of(std::uint32_t warps, std::uint32_t chain) {
    HierarchyRules rules = one_part();
    rules.warps = warps;
    BlockTraffic traffic;
    traffic.words = {0, Shape{1, RequestKind::kEnd, false, false, 0}.packed()};
    for (std::uint32_t warp = 0; warp < warps; ++warp) traffic.requests.push_back({0, 400, 1, warp, 0, 4, chain});
    Replay replay(rules, 1, 2, std::make_shared<SecondLevel>(rules));
    replay.deliver(std::move(traffic));
    EXPECT_TRUE(replay.is_complete());
    return replay.cycles();
}

TEST(SharedPasses, GoByWhileAWarpsChainDoes) {
    EXPECT_EQ(cycles_of(1, 304), cycles_of(1, 4) + 300) << "of one warp one needs the other";
    EXPECT_LT(cycles_of(8, 304), cycles_of(8, 4) + 50) << "of several, some pass while others compute";
    EXPECT_GE(cycles_of(8, 4), 8 * 400u) << "the pipe is one";
}

TEST(Shapes, KeepWhetherAStoreIsStrong) {
    Shape shape{5, RequestKind::kStore, true, true, 3};
    shape.passes = 7;
    for (const bool is_strong : {false, true}) {
        shape.is_strong = is_strong;
        const Shape read = Shape::of(shape.packed());
        EXPECT_EQ(read.is_strong, is_strong);
        EXPECT_EQ(read.kind, RequestKind::kStore);
        EXPECT_EQ(read.pieces, 3);
        EXPECT_EQ(read.passes, 7);
        EXPECT_TRUE(read.is_local);
    }
}

}  // namespace
}  // namespace tilescope::observers
