// Figures and facts: sets of figures, their tables, and their way through JSON.
#include "scope/report/figures.h"

#include <gtest/gtest.h>

#include "scope/report/journal.h"
#include "scope/report/json.h"
#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

template <class Figure>
void expect_a_row_for_each() {
    std::size_t i = 0;
    for (const FigureRow<Figure>& row : kFigureRows<Figure>) {
        EXPECT_EQ(static_cast<std::size_t>(row.figure), i++) << row.name;
        for (const FigureRow<Figure>& other : kFigureRows<Figure>)
            EXPECT_EQ(row.figure == other.figure, std::string_view(row.name) == other.name) << row.name;
        EXPECT_NE(std::string_view(row.about), "") << row.name;
    }
}

TEST(Figures, EachHasARowInTheOrderOfItsValue) {
    expect_a_row_for_each<AdviceFigure>();
    expect_a_row_for_each<RooflineFigure>();
    expect_a_row_for_each<OccupancyFigure>();
}

TEST(Figures, AreThereOnceInWhateverOrderTheyCame) {
    AdviceFigures figures{{AdviceFigure::kTurns, 3}, {AdviceFigure::kActual, 0}};
    EXPECT_EQ(figures, (AdviceFigures{{AdviceFigure::kActual, 0}, {AdviceFigure::kTurns, 3}}));
    figures.set(AdviceFigure::kTurns, 4);
    EXPECT_EQ(figures[AdviceFigure::kTurns], 4);
    EXPECT_EQ(figures.find(AdviceFigure::kActual), 0);
    EXPECT_FALSE(figures.find(AdviceFigure::kFlop));
    EXPECT_EQ(figures[AdviceFigure::kFlop], 0);
    figures.set(AdviceFigure::kTurns, -1);
    EXPECT_EQ(figures.count(AdviceFigure::kTurns), 0U);
    figures.set(AdviceFigure::kTurns, 1e30);
    EXPECT_EQ(figures.count(AdviceFigure::kTurns), 0U) << "no count that we know";
}

Profile with_facts() {
    Profile profile = sample_profile();
    LaunchProfile& launch = profile.launches.front();
    AdviceFacts& facts = launch.advice.front().facts;
    facts.variant = AdviceVariant::kOneAddress;
    for (const auto& row : kFigureRows<AdviceFigure>)
        facts.figures.set(row.figure, 0.1 + static_cast<double>(row.figure));
    facts.variable = "tile";
    facts.extents = {16, 17};
    facts.buffers = {{1, "x", 16.5}, {std::nullopt, "", 2}};
    facts.more_buffers = 3;
    facts.limiters = {SmResource::kShared};
    RooflineFacts& roof = launch.roofline.emplace().facts.emplace();
    roof.limit = RooflineLimit::kOnChip;
    roof.level = TrafficLevel::kShared;
    roof.unit = "OP";
    roof.counted = true;
    roof.tiling = TilingOutlook::kAtNoSize;
    roof.standing = RooflineStanding::kWaiting;
    roof.next_bound = "l1";
    for (const auto& row : kFigureRows<RooflineFigure>) roof.figures.set(row.figure, 1.0 / 3);
    OccupancyReason reason{OccupancyRule::kSubPartitions, {}};
    for (const auto& row : kFigureRows<OccupancyFigure>) reason.figures.set(row.figure, 5);
    launch.occupancy_profile.emplace().reasons = {reason, {OccupancyRule::kBarriers, {}}};
    return profile;
}

TEST(Figures, ComeBackFromJsonAndFromTheJournal) {
    const Profile profile = with_facts();
    const auto read = from_json(to_json(profile), "a profile");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->launches.front().advice, profile.launches.front().advice);
    EXPECT_EQ(read->launches.front().roofline, profile.launches.front().roofline);
    EXPECT_EQ(read->launches.front().occupancy_profile->reasons, profile.launches.front().occupancy_profile->reasons);
    const auto journal = read_journal(process_line({1, 0, "program"}) + JournalWriter().news(profile), "a journal");
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->launches.front().advice, profile.launches.front().advice);
    EXPECT_EQ(journal->launches.front().roofline, profile.launches.front().roofline);
}

TEST(Figures, AreAbsentWhereThereAreNone) {
    const std::string text = to_json(sample_profile());
    EXPECT_EQ(text.find("\"facts\""), std::string::npos);
    EXPECT_EQ(text.find("\"reasons\""), std::string::npos);
}

}  // namespace
}  // namespace tilescope::report
