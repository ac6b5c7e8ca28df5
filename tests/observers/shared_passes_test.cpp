// When warps go through shared memory: while their chains go by, as bench/hardware/chains.cu measured it.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/replay.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

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

TEST(SharedPasses, BringAWarpItsOwnTwoCyclesApart) {
    EXPECT_GE(cycles_of(1, 4), 2 * 400u);
    EXPECT_LT(cycles_of(2, 4), 2 * 400u + 50) << "the pipe has room for another warp's meanwhile";
}

}  // namespace
}  // namespace tilescope::observers
