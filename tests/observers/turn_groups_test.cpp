// Groups of turns that a loop leaves incomplete, and the line that has the most stores.
#include "scope/observers/hierarchy/record/turn_groups.h"

#include <gtest/gtest.h>

#include <string>

#include "scope/observers/hierarchy/store_path/hot_lines.h"

namespace tilescope::observers {
namespace {

// One request a turn of a loop of so many turns, four of which are a group, then one behind it: which of them wait
// ("W"), and at last whether the loop was left within a group ("!").
std::string waits_of(unsigned turns, unsigned requests_of_a_turn = 1) {
    TurnGroups groups;
    groups.set_warps(1);
    Issue in, out;
    in.loop = 7;
    in.turns = 4;
    std::vector<Request> requests;
    for (unsigned turn = 0; turn < turns; ++turn)
        for (unsigned i = 0; i < requests_of_a_turn; ++i) {
            EXPECT_FALSE(groups.come_to(0, in, turn != 0 && i == 0, requests));
            requests.emplace_back();
            groups.put(0, i != 0, requests);
        }
    const bool within = groups.come_to(0, out, false, requests);
    std::string text;
    for (const Request& request : requests) text += request.waits != 0 ? 'W' : '-';
    return text + (within ? "!" : "");
}

TEST(TurnGroups, WholeGroupsStayAsTheyAre) {
    EXPECT_EQ(waits_of(4), "----");
    EXPECT_EQ(waits_of(8), "--------");
}

// ptxas has code for two turns and for one, behind that for four.
TEST(TurnGroups, OfTurnsThatAreLeftOverTwoGoTogetherThenTheLast) {
    EXPECT_EQ(waits_of(1), "-!");
    EXPECT_EQ(waits_of(2), "--!");
    EXPECT_EQ(waits_of(3), "--W!");
    EXPECT_EQ(waits_of(6), "------!");
    EXPECT_EQ(waits_of(7), "------W!");
    // Of turns that load by what they have loaded, the last of a stretch waits for all, and then the next stretch.
    EXPECT_EQ(waits_of(2, 2), "---W!");
    EXPECT_EQ(waits_of(3, 2), "---WWW!");
}

TEST(HotLines, SaysTheMostOfOneLine) {
    HotLines one, other;
    for (std::uint64_t line = 0; line < 1000; ++line) one.take(line);
    const std::uint64_t spread = one.most();
    EXPECT_LE(spread, 8u);
    for (int i = 0; i < 500; ++i) one.take(77), other.take(77);
    one.add(other);
    EXPECT_GE(one.most(), 1001u);
    EXPECT_LE(one.most(), 1000u + spread);
}

}  // namespace
}  // namespace tilescope::observers
