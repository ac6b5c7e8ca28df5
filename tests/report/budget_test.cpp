#include "scope/report/budget.h"

#include <gtest/gtest.h>

#include "scope/report/json.h"
#include "scope/report/metrics.h"
#include "tests/report/sample.h"

namespace tilescope::report {
namespace {

bool holds(const std::string& expression) {
    auto budget = parse_budget("naive: " + expression);
    EXPECT_TRUE(budget) << expression << "\n" << (budget ? "" : render(budget.errors()));
    return budget && keeps(*budget, sample_profile().launches[0]).value_or(false);
}

TEST(Budget, ExpressionsMeanWhatArithmeticSays) {
    EXPECT_TRUE(holds("global_load_sectors_per_request <= 2"));
    EXPECT_FALSE(holds("global_load_sectors_per_request < 2"));
    EXPECT_TRUE(holds("global_load_sectors == 16777216"));
    EXPECT_TRUE(holds("global_load_sectors != 1"));
    EXPECT_TRUE(holds("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9"));
    EXPECT_TRUE(holds("10 - 4 - 3 == 3"));
    EXPECT_TRUE(holds("12 / 3 / 2 == 2"));
    EXPECT_TRUE(holds("-2 < 1 && - -2 == 2"));
    EXPECT_TRUE(holds("1 > 2 || 2 > 1"));
    EXPECT_FALSE(holds("1 > 2 || 2 > 1 && 1 > 2"));
    EXPECT_TRUE(holds("!(1 > 2)"));
    EXPECT_TRUE(holds("1.5e3 == 1500"));
    EXPECT_TRUE(holds("registers_per_thread <= 32 && occupancy >= 1 && threads_per_block == 256"));
    EXPECT_TRUE(holds("flop / requested_bytes == intensity"));
    EXPECT_TRUE(holds("lane_efficiency==1"));
}

// Neither kept nor broken, whatever stands around it, and named.
TEST(Budget, WhatHasNoValueDecidesNothing) {
    struct Case {
        const char *text, *says;
    };
    for (const Case& c :
         {Case{"bank_conflicts_per_request == 0", "has no bank_conflicts_per_request: it did nothing"},
          Case{"bank_conflicts_per_request > 1000", "has no bank_conflicts_per_request"},
          Case{"!(bank_conflicts_per_request > 1000)", "has no bank_conflicts_per_request"},
          Case{"instructions > 0 && bank_conflicts_per_request == 0", "has no bank_conflicts_per_request"},
          Case{"1 / shared_load_requests < 1", "divides by zero"},
          Case{"!(1 / shared_load_requests < 1)", "divides by zero"}}) {
        const auto budget = parse_budget(std::string("naive: ") + c.text);
        ASSERT_TRUE(budget) << c.text;
        const BudgetOutcome outcome = check_budgets({*budget}, sample_profile());
        EXPECT_TRUE(outcome.unmatched && !outcome.broken) << c.text;
        EXPECT_EQ(outcome.results.at(0).verdict, BudgetVerdict::kNoValue) << c.text;
        EXPECT_NE(render(outcome.diagnostics).find(c.says), std::string::npos) << render(outcome.diagnostics);
    }
    EXPECT_TRUE(holds("shared_load_requests == 0 || bank_conflicts_per_request == 0"));
}

TEST(Budget, SpillsThatNobodyToldHaveNoValue) {
    LaunchProfile launch;
    launch.registers_from = RegistersFrom::kEstimate;
    const auto budget = parse_budget("k: spill_store_bytes == 0");
    ASSERT_TRUE(budget);
    EXPECT_EQ(keeps(*budget, launch), std::nullopt);
    launch.registers_from = RegistersFrom::kPtxas;
    EXPECT_EQ(keeps(*budget, launch), true);
}

TEST(Budget, WhatBecameOfEachIsData) {
    std::vector<Budget> budgets;
    for (const char* text :
         {"naive: instructions > 0", "ti*: bank_conflicts_per_request == 0", "nobody: instructions > 0"})
        budgets.push_back(*parse_budget(text));
    Profile profile = sample_profile();
    profile.budgets = check_budgets(budgets, profile).results;
    ASSERT_EQ(profile.budgets.size(), 3U);
    EXPECT_EQ(profile.budgets[0].verdict, BudgetVerdict::kKept);
    EXPECT_EQ(profile.budgets[0].launch, std::nullopt);
    EXPECT_EQ(profile.budgets[1].verdict, BudgetVerdict::kBroken);
    EXPECT_EQ(profile.budgets[1].launch, 1U);
    EXPECT_EQ(profile.budgets[1].values, "bank_conflicts_per_request = 0.181818");
    EXPECT_EQ(profile.budgets[2].verdict, BudgetVerdict::kNoLaunch);
    const auto back = from_json(to_json(profile), "p.json");
    ASSERT_TRUE(back) << render(back.errors());
    EXPECT_EQ(back->budgets, profile.budgets);
}

TEST(Budget, ErrorsPointAtTheColumnAndHelp) {
    struct Case {
        const char* text;
        unsigned column;
        const char* says;
    };
    const Case cases[] = {
        {"tiled*: global_load_sector <= 4", 9, "did you mean global_load_sectors?"},
        {"tiled*: instructions", 9, "not a condition"},
        {"tiled*: instructions <=", 24, "ends too early"},
        {"tiled*: ", 9, "ends too early"},
        {"tiled*: 1 < 2 < 3", 15, "chained"},
        {"tiled*: instructions = 4", 22, "write =="},
        {"tiled*: (1 < 2", 15, "')' is missing"},
        {"tiled*: 1 < 2)", 14, "unexpected ')'"},
        {"tiled*: 1 < 2 && 3", 18, "value cannot be used as a condition"},
        {"tiled*: (1 < 2) + 1 < 3", 9, "condition cannot be used as a value"},
        {"tiled*: 3x < 1", 10, "not a number"},
        {"tiled*: 1 < 2 $", 15, "unexpected '$'"},
        {"instructions < 4", 1, "names no kernel"},
        {" : instructions < 4", 1, "names no kernel"},
        {"", 1, "names no kernel"},
    };
    for (const Case& c : cases) {
        auto budget = parse_budget(c.text);
        ASSERT_FALSE(budget) << c.text;
        const Diagnostic& d = budget.errors()[0];
        EXPECT_EQ(d.location.column, c.column) << c.text << "\n" << render(d);
        EXPECT_NE(render(d).find(c.says), std::string::npos) << render(d);
    }
}

// What was not modelled has no value, and must not pass for kept.
TEST(Budget, WhatOnlyAModelTellsNeedsIt) {
    for (const char* text : {"tiled*: l1_hit_rate > 0.5", "tiled*: dram_read_bytes < 100"}) {
        auto budget = parse_budget(text);
        ASSERT_TRUE(budget);
        Profile profile = sample_profile();
        const BudgetOutcome outcome = check_budgets({*budget}, profile);
        EXPECT_TRUE(outcome.unmatched);
        EXPECT_NE(render(outcome.diagnostics).find("run it with --caches on and without --sample"), std::string::npos);
        for (LaunchProfile& launch : profile.launches) {
            launch.counters.modelled = true;
            launch.counters[Counter::kDramReadBytes] = 200;
        }
        EXPECT_FALSE(check_budgets({*budget}, profile).unmatched);
        EXPECT_TRUE(check_budgets({*budget}, profile).broken);
    }
}

TEST(Budget, SaysOfValuesThatTheyWereNotCounted) {
    LaunchProfile launch;
    launch.registers_from = RegistersFrom::kEstimate;
    EXPECT_EQ(metric_by_name("occupancy").origin(launch), "estimated");
    EXPECT_EQ(metric_by_name("registers_per_thread").origin(launch), "estimated");
    launch.registers_from = RegistersFrom::kCubin;
    EXPECT_EQ(metric_by_name("occupancy").origin(launch), "");
    EXPECT_EQ(metric_by_name("l2_read_sectors").origin(launch), "modelled");
    EXPECT_EQ(metric_by_name("l2_hit_rate").origin(launch), "modelled");
    EXPECT_EQ(metric_by_name("global_load_sectors").origin(launch), "");
    launch.time.emplace().microseconds = 12;
    std::string values;
    EXPECT_EQ(false, keeps(*parse_budget("k: microseconds < 5 && global_load_sectors == 0"), launch, &values));
    EXPECT_EQ(values, "microseconds = 12 (modeled), global_load_sectors = 0");
}

TEST(Budget, HostileTextIsAnErrorNotACrash) {
    EXPECT_FALSE(parse_budget("k: " + std::string(100000, '(')));
    EXPECT_FALSE(parse_budget("k: " + std::string(100000, '-') + "1 < 2"));
    EXPECT_FALSE(parse_budget("k: " + std::string(100000, 'x') + " < 2"));
    EXPECT_FALSE(parse_budget(std::string("k: \0 < 1", 8)));
    EXPECT_FALSE(parse_budget("k: 1e999999 < 2"));
}

TEST(Budget, EachLaunchThatBreaksOneIsNamedWithItsValues) {
    auto budget = parse_budget("ti*: bank_conflicts_per_request == 0");
    ASSERT_TRUE(budget);
    const BudgetOutcome outcome = check_budgets({*budget}, sample_profile());
    EXPECT_TRUE(outcome.broken);
    EXPECT_FALSE(outcome.unmatched);
    ASSERT_EQ(outcome.diagnostics.size(), 1U);
    const std::string text = render(outcome.diagnostics);
    EXPECT_NE(text.find("launch 1, tiled(float const*"), std::string::npos) << text;
    EXPECT_NE(text.find("bank_conflicts_per_request = 0.181818"), std::string::npos) << text;
}

TEST(Budget, KernelsWithColonsInTheirNamesCanBeNamed) {
    auto budget = parse_budget("copies::strided_copy: global_load_sectors_per_request <= 4");
    ASSERT_TRUE(budget);
    EXPECT_EQ(check_budgets({*budget}, sample_profile()).diagnostics.size(), 3U);
}

TEST(Budget, APatternThatSelectsNothingIsReported) {
    auto budget = parse_budget("tield*: instructions > 0");
    ASSERT_TRUE(budget);
    const BudgetOutcome outcome = check_budgets({*budget}, sample_profile());
    EXPECT_FALSE(outcome.broken);
    EXPECT_TRUE(outcome.unmatched);
    EXPECT_NE(render(outcome.diagnostics).find("tiled(float const*"), std::string::npos);
    // Launches that were not counted cannot keep or break anything.
    auto uncounted = parse_budget("other: instructions > 0");
    ASSERT_TRUE(uncounted);
    EXPECT_TRUE(check_budgets({*uncounted}, sample_profile()).unmatched);
}

}  // namespace
}  // namespace tilescope::report
