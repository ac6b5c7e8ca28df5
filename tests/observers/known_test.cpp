#include "scope/observers/hazards/known.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {
namespace {

TEST(Known, HoldsTheLatestTimeOfEachKeyAndCopiesAreApart) {
    Known one;
    EXPECT_EQ(one.of(7), 0u);
    one.add(7, 3);
    one.add(KnownKey::thread(70'000, 31), 9);
    Known two = one;
    two.add(7, 2);
    two.add(8, 5);
    EXPECT_EQ(two.of(7), 3u);
    EXPECT_EQ(two.of(8), 5u);
    EXPECT_EQ(one.of(8), 0u);
    EXPECT_EQ(two.of(KnownKey::thread(70'000, 31)), 9u);
    EXPECT_EQ(two.of(KnownKey::thread(70'000, 30)), 0u);
}

TEST(Known, JoinsAsAMapOfMaximaDoes) {
    std::mt19937_64 random(5);
    for (unsigned round = 0; round < 50; ++round) {
        Known known[2];
        std::map<std::uint64_t, std::uint32_t> want[2];
        for (unsigned side = 0; side < 2; ++side)
            for (unsigned i = 0; i < 40; ++i) {
                const std::uint64_t key = random() % (round % 2 == 0 ? 100 : 1'000'000'000);
                const auto time = static_cast<std::uint32_t>(1 + random() % 50);
                known[side].add(key, time);
                want[side][key] = std::max(want[side][key], time);
            }
        Known both = known[0];
        both.join(known[1]);
        for (const auto& [key, time] : want[0]) EXPECT_EQ(both.of(key), std::max(time, want[1][key]));
        for (const auto& [key, time] : want[1]) EXPECT_EQ(both.of(key), std::max(time, want[0][key]));
    }
}

TEST(Known, WhatIsKnownAlreadyMakesNothingNew) {
    Known all, part;
    for (unsigned i = 0; i < 100; ++i) all.add(i * 1000, 5);
    part.add(3000, 4);
    Known joined = all;
    joined.join(part);
    EXPECT_TRUE(joined.is_same(all));
    part.join(all);
    EXPECT_EQ(part.of(3000), 5u);
}

FoundHazard race(std::uint32_t op, std::uint64_t block = 0) {
    FoundHazard hazard;
    hazard.at = {Deed::kRead, op, block, 0};
    hazard.other = {Deed::kWrite, 1, block, 1};
    return hazard;
}

TEST(HazardList, AMillionHazardsEndInABoundedSummary) {
    HazardList list;
    for (std::uint32_t i = 0; i < 1'000'000; ++i) list.add(race(i % 2000));
    EXPECT_EQ(list.all().size(), HazardList::kMaxGroups);
    EXPECT_EQ(list.all()[0].count, 500u);
    EXPECT_EQ(list.left_out(), 500'000u);
}

TEST(HazardList, TheExampleIsThatOfTheLowestBlockWhoeverFoundIt) {
    HazardList one, other;
    one.add(race(5, 9));
    other.add(race(5, 2));
    other.add(race(5, 3));
    one.merge(other);
    ASSERT_EQ(one.all().size(), 1u);
    EXPECT_EQ(one.all()[0].at.block, 2u);
    EXPECT_EQ(one.all()[0].count, 3u);
}

}  // namespace
}  // namespace tilescope::observers
