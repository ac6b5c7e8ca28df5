#include "scope/cli/run_options.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tilescope::cli {
namespace {

TEST(RunOptions, BecomeWhatTheSessionIsAsked) {
    RunOptions options;
    options.jobs = 3;
    options.sample = 0.25;
    options.max_instructions = "2k";
    options.memory_limit = "2k";
    options.launches = "1..4";
    options.kernels = {"tiled*"};
    options.budgets = {"tiled*: instructions < 5", "naive: flop > 2"};
    options.verbose = true;
    options.json = "out.json";
    auto plan = cli::plan(options);
    ASSERT_TRUE(plan) << render(plan.errors());
    EXPECT_EQ(plan->session.jobs, 3U);
    EXPECT_EQ(plan->session.sample, 0.25);
    EXPECT_EQ(plan->session.max_instructions, 2000U);
    EXPECT_EQ(plan->session.memory_limit, 2048U);
    EXPECT_EQ(plan->session.launches->second, 4U);
    EXPECT_EQ(plan->session.kernel_globs, options.kernels);
    EXPECT_EQ(plan->session.verbosity, 1);
    EXPECT_EQ(plan->budgets.size(), 2U);
    EXPECT_EQ(plan->json, "out.json");
    EXPECT_EQ(plan->device.name, "h200");
    EXPECT_GT(plan->view.ridge_fp32, 13);
}

TEST(RunOptions, EveryMistakeIsNamedAtOnce) {
    RunOptions options;
    options.device = "h900";
    options.open = true;
    options.fill = "256";
    options.suppress = "/no/such.file";
    options.check = "none,initial";
    options.warm = true;
    options.caches = "off";
    options.sample = 2;
    options.launches = "x";
    options.max_instructions = "none";
    options.memory_limit = "-1";
    options.budgets = {"tiled"};
    auto plan = cli::plan(options);
    ASSERT_FALSE(plan);
    const std::string text = render(plan.errors());
    for (const char* what : {"h900", "--open", "--fill", "/no/such.file", "no check \"initial\"", "--warm", "--sample",
                             "--launches", "--max-instructions", "--memory-limit", "--budget"})
        EXPECT_NE(text.find(what), std::string::npos) << what << " in\n" << text;
}

TEST(RunOptions, RejectsTwoOutputsToOneFile) {
    RunOptions options;
    options.json = "out.json";
    options.html = "./out.json";
    options.sarif = options.markdown = "-";
    const auto plan = cli::plan(options);
    ASSERT_FALSE(plan);
    const std::string text = render(plan.errors());
    EXPECT_NE(text.find("--json and --html write to the same file, ./out.json"), std::string::npos) << text;
    EXPECT_NE(text.find("--markdown and --sarif write to the same standard output"), std::string::npos) << text;
    options.html = "out.html";
    options.sarif = "out.sarif";
    EXPECT_TRUE(cli::plan(options));
}

TEST(RunOptions, AByteIsDecimalOrHexadecimal) {
    RunOptions options;
    for (const char* text : {"171", "0xab", "0XAB"}) {
        options.fill = text;
        const auto plan = cli::plan(options);
        ASSERT_TRUE(plan) << text;
        EXPECT_EQ(plan->session.fill, 0xab) << text;
    }
    for (const char* text : {"-1", "256", "0x", "0x100", "ab", "1 "}) {
        options.fill = text;
        EXPECT_FALSE(cli::plan(options)) << text;
    }
}

TEST(RunOptions, WhatIsOffMayBeSaid) {
    RunOptions options;
    options.check = "none";
    options.caches = "off";
    EXPECT_TRUE(cli::plan(options));
}

TEST(RunOptions, ChecksAreAutoUnlessTheyAreNamed) {
    RunOptions options;
    const auto plain = cli::plan(options);
    ASSERT_TRUE(plain) << render(plain.errors());
    EXPECT_TRUE(plain->session.checks_are_auto);
    EXPECT_NE(plain->session.checks & bit_of(Check::kRaces), 0u);
    EXPECT_EQ(plain->session.checks & bit_of(Check::kLeaks), 0u);
    options.check = "none";
    const auto none = cli::plan(options);
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->session.checks_are_auto);
    EXPECT_EQ(none->session.checks, 0u);
    options.check = "auto,races";
    EXPECT_FALSE(cli::plan(options)) << "auto stands alone";
}

TEST(RunOptions, ChecksAreNamedAndAllIsWhatIsThere) {
    RunOptions options;
    options.check = "races,barriers";
    const auto two = cli::plan(options);
    ASSERT_TRUE(two) << render(two.errors());
    EXPECT_EQ(two->session.checks, bit_of(Check::kRaces) | bit_of(Check::kBarriers));
    EXPECT_TRUE(two->notes.empty());
    options.check = "all";
    const auto all = cli::plan(options);
    ASSERT_TRUE(all);
    for (const auto& row : report::kNames<Check>) EXPECT_NE(all->session.checks & bit_of(row.value), 0u) << row.name;
    EXPECT_TRUE(all->notes.empty()) << render(all->notes);
    options.check = "race";
    const auto wrong = cli::plan(options);
    ASSERT_FALSE(wrong);
    EXPECT_NE(render(wrong.errors()).find("no check \"race\""), std::string::npos) << render(wrong.errors());
}

TEST(RunOptions, ColourIsForTerminalsAndNoColorIsHonoured) {
    EXPECT_TRUE(wants_color("always", 1));
    EXPECT_FALSE(wants_color("never", 1));
    setenv("NO_COLOR", "1", 1);
    EXPECT_FALSE(wants_color("auto", 1));
    EXPECT_TRUE(wants_color("always", 1));
    unsetenv("NO_COLOR");
}

}  // namespace
}  // namespace tilescope::cli
