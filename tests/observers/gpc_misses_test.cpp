#include "scope/observers/hierarchy/misses_in_flight/gpc_misses.h"

#include <gtest/gtest.h>

#include "scope/observers/hierarchy/scheduler/oldest_first.h"

namespace tilescope::observers {
namespace {

GpcMissesInFlight misses_of(unsigned gpc_reads) {
    MissRules rules;
    rules.gpc_reads = gpc_reads;
    rules.gpc_join_cycles = 30;
    return {rules, 280};
}

// The way that a response takes from there is 250 cycles.
TEST(GpcMissesInFlight, JoinsUntilTheResponseIsOnItsWay) {
    GpcMissesInFlight in_flight = misses_of(4);
    EXPECT_EQ(in_flight.join(100, 7, 15, 0), 0u);
    in_flight.put(7, 0, 1000);
    EXPECT_EQ(in_flight.join(101, 7, 15, 0), 1000u);
    EXPECT_EQ(in_flight.join(749, 7, 15, 0), 1000u);
    EXPECT_EQ(in_flight.join(750, 7, 15, 0), 0u);
}

TEST(GpcMissesInFlight, JoinsSoManyToOne) {
    GpcMissesInFlight in_flight = misses_of(4);
    EXPECT_EQ(in_flight.join(0, 7, 15, 0), 0u);
    in_flight.put(7, 0, 1000);
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(in_flight.join(i, 7, 15, 0), 1000u);
    EXPECT_EQ(in_flight.join(4, 7, 15, 0), 0u);
    in_flight.put(7, 0, 1004);
    EXPECT_EQ(in_flight.join(5, 7, 15, 0), 1004u);
}

TEST(GpcMissesInFlight, JoinsReadsOfOneGroupAndOneLineOnly) {
    GpcMissesInFlight in_flight = misses_of(4);
    EXPECT_EQ(in_flight.join(0, 7, 15, 0), 0u);
    in_flight.put(7, 0, 1000);
    EXPECT_EQ(in_flight.join(1, 7, 15, 1), 0u);
    EXPECT_EQ(in_flight.join(1, 8, 15, 0), 0u);
    EXPECT_EQ(in_flight.join(2, 7, 15, 0), 1000u);
}

// As eight SMs that read one sector of a line, and eight others its neighbour, were hardly joined at all.
TEST(GpcMissesInFlight, JoinsNoMoreOnceOtherSectorsWereRequested) {
    GpcMissesInFlight in_flight = misses_of(4);
    EXPECT_EQ(in_flight.join(0, 7, 1, 0), 0u);
    in_flight.put(7, 0, 1000);
    EXPECT_EQ(in_flight.join(1, 7, 2, 1), 0u);
    in_flight.put(7, 1, 1001);
    EXPECT_EQ(in_flight.join(2, 7, 1, 0), 0u);
    in_flight.put(7, 0, 1002);
    EXPECT_EQ(in_flight.join(3, 7, 1, 0), 1002u);
}

TEST(GpcMissesInFlight, JoinsNothingWhereNoneAreMadeIntoOne) {
    GpcMissesInFlight in_flight = misses_of(1);
    EXPECT_EQ(in_flight.join(0, 7, 15, 0), 0u);
    in_flight.put(7, 0, 1000);
    EXPECT_EQ(in_flight.join(1, 7, 15, 0), 0u);
}

TEST(OldestFirst, AnOlderOneTakesOver) {
    OldestFirst slots;
    EXPECT_TRUE(slots.enter(5, 50, 100, 0));
    EXPECT_FALSE(slots.enter(6, 60, 10, 20));
    EXPECT_TRUE(slots.enter(4, 40, 30, 40));
    EXPECT_EQ(slots.at_work(), 4u);
    EXPECT_EQ(slots.done(), 70u);
    EXPECT_EQ(slots.leave(70), 5u);
    EXPECT_EQ(slots.done(), 130u);  // with the 60 that were left
    EXPECT_EQ(slots.leave(130), 6u);
    EXPECT_EQ(slots.done(), 140u);
    EXPECT_EQ(slots.leave(140), OldestFirst::kNobody);
    EXPECT_TRUE(slots.enter(7, 70, 5, 200));
    EXPECT_EQ(slots.done(), 205u);
}

// Who is done this very moment is not put back to wait for nothing.
TEST(OldestFirst, WhoIsDoneIsDone) {
    OldestFirst slots;
    EXPECT_TRUE(slots.enter(5, 50, 100, 0));
    EXPECT_FALSE(slots.enter(4, 40, 30, 100));
    EXPECT_EQ(slots.leave(100), 4u);
}

}  // namespace
}  // namespace tilescope::observers
