#include "scope/report/byte_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace tilescope::report {
namespace {

using C = Counter;

const FlowLink* link_of(const ByteFlow& flow, std::string_view from, std::string_view to, std::string_view what) {
    const auto found = std::find_if(flow.links.begin(), flow.links.end(), [&](const FlowLink& link) {
        return link.from == from && link.to == to && link.what == what;
    });
    return found == flow.links.end() ? nullptr : &*found;
}

TEST(ByteFlow, SectorsAre32BytesAndWavefronts128) {
    CounterSet counters;
    counters[C::kGlobalLoadSectors] = 10;
    counters[C::kGlobalLoadIdealSectors] = 4;
    counters[C::kGlobalLoadBytesRequested] = 128;
    counters[C::kSharedLoadWavefronts] = 3;
    counters[C::kSharedLoadBankConflicts] = 2;
    counters[C::kL2ReadSectors] = 5;
    const ByteFlow flow = byte_flow(counters);
    const FlowLink* loads = link_of(flow, "l1", "threads", "load");
    ASSERT_NE(loads, nullptr);
    EXPECT_EQ(loads->bytes, 320U);
    EXPECT_EQ(loads->wasted, 192U);
    EXPECT_EQ(loads->asked, 128U);
    EXPECT_FALSE(loads->modelled);
    const FlowLink* shared = link_of(flow, "shared", "threads", "load");
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(shared->bytes, 384U);
    EXPECT_EQ(shared->wasted, 256U);
    // Nobody modelled the caches.
    EXPECT_EQ(link_of(flow, "l2", "l1", "load"), nullptr);
    EXPECT_EQ(flow.links.size(), 2U);
}

TEST(ByteFlow, CachesAreMarkedAndSayWhyTheyMissed) {
    CounterSet counters;
    counters.modelled = true;
    counters[C::kL2ReadSectors] = 5;
    counters[C::kL1UnaskedBytes] = 7;
    counters[C::kDramReadBytes] = 1000;
    counters[C::kDramUnaskedBytes] = 600;
    counters[C::kL1MissCapacity] = 3;
    counters[C::kL2MissOtherPart] = 2;
    const ByteFlow flow = byte_flow(counters);
    EXPECT_EQ(link_of(flow, "l2", "l1", "load")->bytes, 160U);
    EXPECT_EQ(link_of(flow, "l2", "l1", "load")->wasted, 11U);  // 7 of each 96 bytes that L1 had not
    EXPECT_EQ(link_of(flow, "dram", "l2", "load")->wasted, 600U);
    EXPECT_TRUE(link_of(flow, "dram", "l2", "load")->modelled);
    ASSERT_EQ(flow.misses.size(), 2U);
    EXPECT_EQ(flow.misses[0].why, "capacity");
    EXPECT_EQ(flow.misses[1].level, "l2");
}

TEST(ByteFlow, NumbersThatNoCounterReachesDoNotWrapAround) {
    CounterSet counters;
    counters.modelled = true;
    counters.values.fill(std::numeric_limits<std::uint64_t>::max());
    for (const FlowLink& link : byte_flow(counters).links)
        EXPECT_EQ(link.bytes, std::numeric_limits<std::uint64_t>::max());
}

// What a request left aside a later one may have found in L1, and SMs share reads of L2.
TEST(ByteFlow, WhatL1HadAMomentLaterIsNotCalledWasted) {
    CounterSet counters;
    counters.modelled = true;
    counters[C::kL2ReadSectors] = 50;
    counters[C::kL1MissFirstTouch] = 100;
    counters[C::kL1MergedSectors] = 50;
    counters[C::kL1UnaskedBytes] = 2800;
    EXPECT_EQ(link_of(byte_flow(counters), "l2", "l1", "load")->wasted, 1400U);
    counters[C::kGlobalLoadL1HitSectors] = 25;
    EXPECT_EQ(link_of(byte_flow(counters), "l2", "l1", "load")->wasted, 1000U);
    counters[C::kGlobalLoadL1HitSectors] = 500;
    EXPECT_EQ(link_of(byte_flow(counters), "l2", "l1", "load")->wasted, 0U);
}

}  // namespace
}  // namespace tilescope::report
