#include "scope/cli/finish.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scope/base/files.h"
#include "scope/cli/exit_status.h"
#include "scope/report/json.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

Profile profile_of(Outcome outcome) {
    Profile profile;
    profile.outcome = outcome;
    LaunchProfile launch;
    launch.kernel = "tiled(float*)";
    launch.entry = "_Z5tiledPf";
    launch.counters[Counter::kInstructions] = 10;
    profile.launches = {launch};
    return profile;
}

RunPlan plan_with(const std::vector<std::string>& budgets) {
    RunPlan plan;
    plan.quiet = true;
    for (const std::string& text : budgets) plan.budgets.push_back(*report::parse_budget(text));
    return plan;
}

Hazard race() {
    Hazard hazard;
    hazard.kind = HazardKind::kRace;
    hazard.file = "a.cu";
    hazard.line = 7;
    hazard.kernel = "tiled(float*)";
    hazard.block = {1, 2, 3};
    hazard.thread = {4, 5, 6};
    return hazard;
}

TEST(Finish, TheProgramsOwnStatusPassesThrough) {
    EXPECT_EQ(finish(plan_with({}), profile_of(Outcome::kOk), 0), 0);
    EXPECT_EQ(finish(plan_with({}), profile_of(Outcome::kOk), 42), 42);
}

TEST(Finish, WhatWentWrongOnTheDeviceWins) {
    EXPECT_EQ(finish(plan_with({}), profile_of(Outcome::kFault), 1), kFault);
    EXPECT_EQ(finish(plan_with({}), profile_of(Outcome::kUnsupported), 0), kFault);
    EXPECT_EQ(finish(plan_with({}), profile_of(Outcome::kLimit), 1), kLimit);
    EXPECT_EQ(finish(plan_with({"tiled: instructions < 5"}), profile_of(Outcome::kFault), 1), kFault);
    Profile hazardous = profile_of(Outcome::kOk);
    hazardous.launches[0].hazards = {race()};
    EXPECT_EQ(finish(plan_with({"tiled: instructions < 5"}), hazardous, 1), kHazard);
}

TEST(Finish, WarningsOfHazardsDecideUnderStrict) {
    Profile profile = profile_of(Outcome::kOk);
    profile.launches[0].hazards = {race()};
    Hazard& hazard = profile.launches[0].hazards[0];
    RunPlan strict = plan_with({});
    strict.strict = true;
    hazard.severity = Severity::kWarning;
    EXPECT_EQ(finish(plan_with({}), profile, 0), 0);
    EXPECT_EQ(finish(strict, profile, 0), kHazard);
    hazard.severity = Severity::kNote;
    EXPECT_EQ(finish(strict, profile, 0), 0);
    hazard.severity = Severity::kWarning;
    hazard.kind = HazardKind::kLeak;  // found by the way
    EXPECT_EQ(finish(strict, profile, 0), 0);
}

TEST(Finish, BudgetsDecideAfterThat) {
    EXPECT_EQ(finish(plan_with({"tiled: instructions <= 10"}), profile_of(Outcome::kOk), 0), 0);
    EXPECT_EQ(finish(plan_with({"tiled: instructions < 10"}), profile_of(Outcome::kOk), 0), kBroken);
    EXPECT_EQ(finish(plan_with({"naive: instructions < 10"}), profile_of(Outcome::kOk), 0), kUsage);
}

TEST(Finish, FaultsNameFileLineKernelBlockAndThread) {
    Profile profile = profile_of(Outcome::kFault);
    profile.launches[0].hazards = {race()};
    const std::string text = render(explain_outcome(profile));
    EXPECT_EQ(text, "a.cu:7: error: race; kernel tiled(float*), block (1, 2, 3), thread (4, 5, 6) [hazard-race]\n");
}

TEST(Finish, APairOfLinesIsToldOnceForAllLaunchesAndAScreenfulInAll) {
    Profile profile = profile_of(Outcome::kOk);
    for (std::uint32_t line = 1; line <= 30; ++line) {
        Hazard hazard = race();
        hazard.other_file = "a.cu";
        hazard.other_line = line;
        hazard.message = "thread of this launch";
        profile.launches[0].hazards.push_back(hazard);
    }
    profile.launches.push_back(profile.launches[0]);
    profile.launches[1].hazards[0].message = "thread of that launch";
    const std::string text = render(explain_outcome(profile));
    EXPECT_EQ(text.find("that launch"), std::string::npos);
    EXPECT_NE(text.find("10 more pairs of lines"), std::string::npos) << text;
}

TEST(Finish, AWarningDoesNotMakeTheStatus) {
    Profile profile = profile_of(Outcome::kOk);
    profile.launches[0].hazards = {race()};
    profile.launches[0].hazards[0].severity = Severity::kWarning;
    EXPECT_EQ(status_of(profile), kRan);
}

TEST(Finish, TheProfileIsWrittenAlthoughQuiet) {
    RunPlan plan = plan_with({});
    plan.json = scratch_file("finish_test.json");
    EXPECT_EQ(finish(plan, profile_of(Outcome::kOk), 0), 0);
    std::ifstream file(plan.json);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), report::to_json(profile_of(Outcome::kOk)));
    std::filesystem::remove(plan.json);
    plan.json = "/no/such/folder/profile.json";
    EXPECT_EQ(finish(plan, profile_of(Outcome::kOk), 0), kUsage);
}

TEST(Finish, TheProgramsOwnStatusStandsWhereItIsToDecide) {
    RunPlan plan = plan_with({});
    plan.program_decides = true;
    EXPECT_EQ(finish(plan, profile_of(Outcome::kFault), 0), 0);
    EXPECT_EQ(finish(plan, profile_of(Outcome::kFault), 7), 7);
    Profile hazardous = profile_of(Outcome::kOk);
    hazardous.launches[0].hazards = {race()};
    EXPECT_EQ(finish(plan, hazardous, 0), 0);
    // Its result is none where a limit ended it or a kernel could not run, and budgets were asked for by name.
    EXPECT_EQ(finish(plan, profile_of(Outcome::kLimit), 0), kLimit);
    EXPECT_EQ(finish(plan, profile_of(Outcome::kUnsupported), 0), kFault);
    plan.budgets = plan_with({"tiled: instructions < 10"}).budgets;
    EXPECT_EQ(finish(plan, hazardous, 0), kBroken);
}

TEST(Finish, AFailureSaysWhatWasNotChecked) {
    RunPlan plan = plan_with({});
    plan.quiet = false;
    const auto told = [&](const Profile& profile, int status) {
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        finish(plan, profile, status);
        testing::internal::GetCapturedStdout();
        return testing::internal::GetCapturedStderr();
    };
    Profile profile = profile_of(Outcome::kOk);
    EXPECT_NE(told(profile, 1).find("not checked: races, barriers, init, streams (--check all)"), std::string::npos);
    EXPECT_EQ(told(profile, 0).find("not checked"), std::string::npos);
    profile.checks = {Check::kMemory, Check::kRaces, Check::kInit};
    EXPECT_NE(told(profile, 1).find("not checked: barriers, streams (--check all)"), std::string::npos);
    profile.checks = {Check::kRaces, Check::kBarriers, Check::kInit, Check::kStreams};
    EXPECT_EQ(told(profile, 1).find("not checked"), std::string::npos);
}

TEST(Finish, AProgramWithoutLinesIsToldWhatTheyWouldGive) {
    RunPlan plan = plan_with({});
    plan.quiet = false;
    const auto told = [&](const Profile& profile) {
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        finish(plan, profile, 0);
        testing::internal::GetCapturedStdout();
        return testing::internal::GetCapturedStderr();
    };
    Profile profile = profile_of(Outcome::kOk);
    profile.ended = "exit 0";
    EXPECT_NE(told(profile).find("built without -lineinfo"), std::string::npos);
    profile.launches[0].lines.emplace_back();
    EXPECT_EQ(told(profile).find("-lineinfo"), std::string::npos);
    profile.launches[0].lines.back().from = LinesFrom::kPtx;
    EXPECT_NE(told(profile).find("built without -lineinfo"), std::string::npos);
    profile.launches[0].lines.clear();
    profile.compiler = "clang 19.1.7";
    EXPECT_EQ(told(profile).find("-lineinfo"), std::string::npos);
}

TEST(Finish, BudgetsAreInTheProfile) {
    RunPlan plan = plan_with({"tiled: instructions < 10"});
    plan.json = scratch_file("budgets.json");
    EXPECT_EQ(finish(plan, profile_of(Outcome::kOk), 0), kBroken);
    const auto text = read_whole_file(plan.json);
    const auto profile = report::from_json(text.value_or(""), plan.json);
    ASSERT_TRUE(profile);
    ASSERT_EQ(profile->budgets.size(), 1U);
    EXPECT_EQ(profile->budgets[0].verdict, BudgetVerdict::kBroken);
}

TEST(Finish, PageAndMarkdownTellTheSameRun) {
    RunPlan plan = plan_with({});
    plan.html = scratch_file("page.html");
    plan.markdown = scratch_file("report.md");
    ASSERT_TRUE(claim_outputs(plan));
    EXPECT_NE(read_whole_file(plan.html).value_or("").find("this run has not ended"), std::string::npos);
    EXPECT_EQ(finish(plan, profile_of(Outcome::kOk), 0), kRan);
    const std::string page = read_whole_file(plan.html).value_or("");
    EXPECT_NE(page.find("tiled(float*)"), std::string::npos);
    EXPECT_EQ(page.find("this run has not ended"), std::string::npos);
    EXPECT_NE(read_whole_file(plan.markdown).value_or("").find("### tiled"), std::string::npos);
    EXPECT_EQ(give_up(plan, {error("cli-test", {}, "it came to nothing")}, kUsage), kUsage);
    EXPECT_NE(read_whole_file(plan.html).value_or("").find("it came to nothing"), std::string::npos);
    plan.html = "/no/such/folder/page.html";
    EXPECT_FALSE(claim_outputs(plan));
}

TEST(Finish, WhatWasAskedForIsOpenedFirstAndHoldsNoOlderRun) {
    RunPlan plan = plan_with({});
    plan.json = scratch_file("claimed.json");
    std::ofstream(plan.json) << "old";
    ASSERT_TRUE(claim_outputs(plan));
    const auto profile = report::from_json(read_whole_file(plan.json).value_or(""), plan.json);
    ASSERT_TRUE(profile) << render(profile.errors());
    EXPECT_EQ(profile->outcome, Outcome::kNotRun);
    EXPECT_EQ(profile->diagnostics.at(0).code, "cli-unfinished");
    for (const char* silent : {"-", "", "/dev/null"}) {
        plan.json = silent;
        testing::internal::CaptureStdout();
        EXPECT_TRUE(claim_outputs(plan));
        EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    }
    plan.json = "/no/such/folder/profile.json";
    EXPECT_FALSE(claim_outputs(plan));
}

TEST(Finish, AFileThatCannotBeWrittenIsToldOnce) {
    RunPlan plan = plan_with({});
    plan.json = "/no/such/folder/profile.json";
    const Status claimed = claim_outputs(plan);
    ASSERT_FALSE(claimed);
    const auto told_of = [&](const Diagnostics& errors) {
        testing::internal::CaptureStderr();
        give_up(plan, errors, 2);
        const std::string told = testing::internal::GetCapturedStderr();
        std::size_t times = 0;
        for (std::size_t at = told.find(plan.json); at != std::string::npos; at = told.find(plan.json, at + 1)) ++times;
        return times;
    };
    EXPECT_EQ(told_of(claimed.errors()), 1U);
    EXPECT_EQ(told_of({error("cli-other", {}, "something else")}), 1U);
}

}  // namespace
}  // namespace tilescope::cli
