// Which reads of an SM go along with those of the load before.
#include "scope/observers/hierarchy/misses_in_flight/sm_misses.h"

#include <gtest/gtest.h>

#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

// A load of lines `first`, `first` + 1 ..., of which L1 has none, that L1 is done with at `end`.
void load(SmMissesInFlight& reads, std::uint64_t first, std::uint32_t lines, std::uint64_t end, bool may_join = true) {
    reads.begin(may_join);
    for (std::uint32_t i = 0; i < lines; ++i) reads.put({first + i, 0, 100 + i});
    reads.end(end);
}

bool finds(SmMissesInFlight& reads, std::uint64_t line, std::uint64_t time, bool may_join = true) {
    reads.begin(may_join);
    return reads.find(line, time) != nullptr;
}

TEST(SmMissesInFlight, AreJoinedUntilTheyLeaveLineByLine) {
    SmMissesInFlight reads(h200_rules().misses);
    load(reads, 7, 4, 1000);
    reads.begin(true);
    const SmMissesInFlight::Place* const place = reads.find(8, 1001);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place->index, 101u);
    EXPECT_EQ(reads.find(6, 1001), nullptr);
    EXPECT_EQ(reads.find(11, 1001), nullptr);
    // The first line goes before the last.
    EXPECT_FALSE(finds(reads, 7, 1006));
    EXPECT_TRUE(finds(reads, 10, 1006));
    EXPECT_FALSE(finds(reads, 10, 1020));
}

TEST(SmMissesInFlight, ALoadOfOtherLinesSendsThemOffAndOneThatHitsDoesNot) {
    SmMissesInFlight reads(h200_rules().misses);
    load(reads, 7, 4, 1000);
    reads.begin(true);
    reads.end(1001);  // it requested nothing
    EXPECT_TRUE(finds(reads, 7, 1002));
    load(reads, 20, 1, 1002);
    EXPECT_FALSE(finds(reads, 7, 1003));
    EXPECT_TRUE(finds(reads, 20, 1003));
}

TEST(SmMissesInFlight, SeveralLoadsFollowEachOther) {
    SmMissesInFlight reads(h200_rules().misses);
    load(reads, 7, 1, 1000);
    for (std::uint64_t time = 1001; time < 1020; ++time) {
        reads.begin(true);
        const SmMissesInFlight::Place* const place = reads.find(7, time);
        ASSERT_NE(place, nullptr) << time;
        EXPECT_EQ(place->index, 100u);
        reads.put(*place);
        reads.end(time + 1);
    }
}

TEST(SmMissesInFlight, LoadsOfManySectorsNeitherJoinNorAreJoined) {
    SmMissesInFlight reads(h200_rules().misses);
    load(reads, 7, 4, 1000);
    EXPECT_FALSE(finds(reads, 7, 1001, false));
    load(reads, 7, 20, 1000, false);
    EXPECT_FALSE(finds(reads, 7, 1001));
    load(reads, 7, 4, 1000);
    reads.forget();
    EXPECT_FALSE(finds(reads, 7, 1001));
}

}  // namespace
}  // namespace tilescope::observers
