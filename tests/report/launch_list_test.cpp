// Lists of launches of which some are others once again: whatever is made of them is what would be made of each apart.
#include "scope/report/launch_list.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scope/report/budget.h"
#include "scope/report/fold.h"
#include "scope/report/journal.h"
#include "scope/report/json.h"
#include "scope/views/view.h"
#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

// The first two launches of the sample, in turns, of which each but the first is repeated; and the same apart.
std::pair<Profile, Profile> repeated_and_apart(unsigned times, bool with_graphs = false) {
    Profile repeated = sample_profile();
    const std::vector<LaunchProfile> sample = repeated.launches;
    repeated.launches.clear();
    for (std::size_t i = 0; i < 2; ++i) {
        repeated.launches.push_back(sample[i]);
        repeated.launches.back().index = static_cast<std::uint32_t>(i);
    }
    for (std::uint32_t i = 2; i < times; ++i)
        repeated.launches.push_again(i % 3 == 0 ? 0 : 1, {i, with_graphs ? i % 2 : 0, 0.25 * i});
    Profile apart = repeated;
    apart.launches = std::vector<LaunchProfile>(std::as_const(repeated).launches);
    return {repeated, apart};
}

TEST(LaunchList, SharesWhatIsRepeatedAndKnowsItsMarks) {
    const auto [repeated, apart] = repeated_and_apart(1000);
    EXPECT_EQ(repeated.launches.size(), 1000u);
    EXPECT_EQ(repeated.launches.distinct().size(), 2u);
    EXPECT_EQ(apart.launches.distinct().size(), 1000u);
    EXPECT_EQ(&repeated.launches[999], &repeated.launches[0]);
    EXPECT_EQ(repeated.launches.marks(999).index, 999u);
    EXPECT_EQ(repeated.launches.marks(999).seconds, 0.25 * 999);
    EXPECT_EQ(apart.launches[999].index, 999u);
    EXPECT_EQ(repeated.launches, apart.launches);
    EXPECT_EQ(repeated.launches.end() - repeated.launches.begin(), 1000);
}

TEST(LaunchList, ALaunchThatMayBeChangedIsApart) {
    auto [repeated, apart] = repeated_and_apart(10);
    repeated.launches[9].kernel = "another";
    EXPECT_EQ(repeated.launches[9].index, 9u);
    EXPECT_NE(repeated.launches[0].kernel, "another");
    EXPECT_NE(repeated.launches, apart.launches);
    repeated.launches[9].kernel = repeated.launches[0].kernel;
    EXPECT_EQ(repeated.launches, apart.launches);
    repeated.launches.erase_if([](const LaunchProfile& launch) { return launch.index % 2 != 0; });
    ASSERT_EQ(repeated.launches.size(), 5u);
    EXPECT_EQ(repeated.launches.back().index, 8u);
    LaunchList both;
    both.append(std::as_const(apart).launches);
    both.append(repeated_and_apart(10).first.launches);
    ASSERT_EQ(both.size(), 20u);
    EXPECT_EQ(std::as_const(both)[19].index, 9u);
}

TEST(LaunchList, IsWrittenAsIfAllWereApart) {
    for (const bool with_graphs : {false, true}) {
        const auto [repeated, apart] = repeated_and_apart(20, with_graphs);
        for (const bool with_times : {false, true})
            EXPECT_EQ(to_json(repeated, with_times), to_json(apart, with_times));
        const auto back = from_json(to_json(repeated, true), "profile.json");
        ASSERT_TRUE(back) << render(back.errors());
        EXPECT_EQ(back->launches.size(), 20u);
        EXPECT_EQ(to_json(*back, true), to_json(repeated, true));
        EXPECT_EQ(views::csv_view(repeated, {}), views::csv_view(apart, {}));
        EXPECT_EQ(views::sarif_view(repeated, {}), views::sarif_view(apart, {}));
        EXPECT_EQ(views::text_view(repeated, {}), views::text_view(apart, {}));
        EXPECT_EQ(to_json(fold(repeated), true), to_json(fold(apart), true));
        const auto budget = parse_budget("*: instructions < 0");
        ASSERT_TRUE(budget);
        const BudgetOutcome of_repeated = check_budgets({*budget}, repeated),
                            of_apart = check_budgets({*budget}, apart);
        EXPECT_EQ(of_repeated.results, of_apart.results);
        EXPECT_EQ(render(of_repeated.diagnostics), render(of_apart.diagnostics));
        EXPECT_EQ(of_apart.results.at(0).broken, 20u);
    }
}

TEST(LaunchList, IsWhatAJournalOfManyLaunchesBecomes) {
    JournalWriter writer;
    Profile profile = sample_profile();
    std::vector<LaunchProfile> all = profile.launches;
    for (LaunchProfile& launch : all) launch.hazards.clear();
    const std::size_t first = all.size();
    all[1].hazards.emplace_back();
    for (std::size_t i = first; i < 300; ++i) all.push_back(all[i % first]);
    profile.launches.clear();
    profile.seconds = 0;
    profile.timeline_totals = TimelineTotals{};
    std::string journal;
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].index = static_cast<std::uint32_t>(i);
        all[i].seconds = 0.5;
        profile.seconds += 0.5;
        profile.unfinished = UnfinishedLaunch{all[i].index, all[i].kernel, all[i].grid, all[i].block};
        journal += writer.news(profile);
        profile.unfinished.reset();
        profile.timeline_totals->microseconds += 1.25;
        profile.timeline_totals->graph_launches = i;
        profile.launches = std::vector<LaunchProfile>{all[i]};
        journal += writer.news(profile);
        writer.launches_were_dropped();  // as a session does that is followed
        profile.launches.clear();
    }
    const auto under_way = journal + R"({"begun_again":{"index":300}})" + "\n";
    profile.launches = all;
    const auto read = read_journal(journal, "journal"), unfinished = read_journal(under_way, "journal");
    ASSERT_TRUE(read && unfinished) << render(read.errors());
    EXPECT_EQ(to_json(*read, true), to_json(profile, true));
    EXPECT_GE(read->launches.distinct().size(), 300 / first) << "hazards may be hidden one by one";
    EXPECT_LT(read->launches.distinct().size(), 60u);
    ASSERT_TRUE(unfinished->unfinished);
    EXPECT_EQ(unfinished->unfinished->index, 300u);
    EXPECT_EQ(unfinished->unfinished->kernel, all.back().kernel);
    EXPECT_FALSE(read_journal("{\"begun_again\":{\"index\":1}}\n", "journal"));
    EXPECT_FALSE(read_journal("{\"overlap\":7}\n", "journal"));
    EXPECT_FALSE(read_journal("{\"again\":{\"index\":1,\"of\":0,\"seconds\":0,\"graph\":0}}\n", "journal"));
}

}  // namespace
}  // namespace tilescope::report
