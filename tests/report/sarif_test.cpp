// Findings as SARIF: what its readers need, and what makes a finding the same from run to run.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scope/views/view.h"
#include "tests/report/sample.h"

namespace tilescope::report {
using namespace views;
namespace {

nlohmann::json sarif_run_of(const Profile& profile, const ViewOptions& how) {
    return nlohmann::json::parse(sarif_view(profile, how))["runs"][0];
}

// What the format and its readers ask for, whatever is found.
TEST(Sarif, HasWhatItsReadersNeed) {
    for (const Profile& profile : {sample_profile(), Profile{}}) {
        const nlohmann::json run = sarif_run_of(profile, {});
        ASSERT_EQ(run["invocations"].size(), 1U);
        EXPECT_TRUE(run["invocations"][0]["executionSuccessful"].is_boolean());
        EXPECT_FALSE(run["invocations"][0].contains("commandLine")) << "a profile does not know it";
        const auto& rules = run["tool"]["driver"]["rules"];
        for (const auto& rule : rules) {
            EXPECT_FALSE(rule["shortDescription"]["text"].get<std::string>().empty()) << rule;
            EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty()) << rule;
        }
        for (const auto& result : run["results"]) {
            EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
            EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
            ASSERT_FALSE(result["locations"].empty()) << result;
            EXPECT_FALSE(
                result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].get<std::string>().empty());
            EXPECT_EQ(result["partialFingerprints"].size(), 1U);
        }
    }
}

TEST(Sarif, SaysHowTheRunWent) {
    Profile profile = sample_profile();
    const auto invocation = [&](const ViewOptions& how) { return sarif_run_of(profile, how)["invocations"][0]; };
    EXPECT_EQ(invocation({})["executionSuccessful"], true) << "a fault is a result";
    profile.outcome = Outcome::kLimit;
    profile.diagnostics = {
        {Severity::kError, "limit-time", {"a.cu", 4, 1}, "the time limit was reached", "give it more"}};
    FailedCall failed;
    failed.call = "cudaMalloc";
    failed.error = "cudaErrorMemoryAllocation";
    failed.reason = "out of memory";
    profile.failed_calls = {failed};
    const auto ended = invocation({});
    EXPECT_EQ(ended["executionSuccessful"], false);
    const auto& told = ended["toolExecutionNotifications"];
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0]["level"], "error");
    EXPECT_EQ(told[0]["descriptor"]["id"], "limit-time");
    EXPECT_EQ(told[0]["message"]["text"], "the time limit was reached. give it more");
    EXPECT_EQ(told[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
    EXPECT_EQ(told[1]["level"], "warning");
    EXPECT_EQ(told[1]["message"]["text"], "cudaMalloc failed: out of memory (cudaErrorMemoryAllocation)");
}

// Advice of launches of one kernel is one result, and what it saves adds up.
TEST(Sarif, HasAdviceAsNotes) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    Advice& advice = profile.launches[0].advice[0];
    profile.launches[0].advice.resize(1);
    advice.saves_microseconds = 1.5;
    profile.launches.push_back(profile.launches[0]);
    const auto results = sarif_run_of(profile, {})["results"];
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0]["level"], "note");
    EXPECT_EQ(results[0]["ruleId"], name_of(advice.rule));
    EXPECT_EQ(results[0]["occurrenceCount"], 2);
    EXPECT_EQ(results[0]["properties"]["saves_microseconds"], 3.0);
    EXPECT_EQ(results[0]["properties"]["saves_bytes"], 2 * advice.saves_bytes);
}

// Advice about the program stands at what it was compiled from.
TEST(Sarif, HasAdviceAboutTheProgram) {
    Profile profile = sample_profile();
    profile.launches.clear();
    Advice advice;
    advice.saves_microseconds = 4;
    profile.advice = {advice};
    const auto results = sarif_run_of(profile, {})["results"];
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], profile.program);
    EXPECT_EQ(results[0]["properties"]["saves_microseconds"], 4.0);
}

// What is written above a finding makes no other of it.
TEST(Sarif, KnowsAFindingWhoseLineMoved) {
    Profile profile = sample_profile();
    profile.launches.resize(1);
    profile.launches[0].advice.clear();
    Hazard race;
    race.kind = HazardKind::kRace;
    race.kernel = profile.launches[0].kernel;
    race.file = "/here/a.cu";
    race.line = 10;
    Hazard second = race;
    second.line = 14;
    profile.launches[0].hazards = {race, second};
    const auto prints = [&] {
        std::vector<std::string> all;
        const nlohmann::json run = sarif_run_of(profile, {});
        for (const auto& result : run["results"]) all.push_back(result["partialFingerprints"]["tilescopeFinding/v1"]);
        return all;
    };
    const std::vector<std::string> before = prints();
    ASSERT_EQ(before.size(), 2U);
    EXPECT_NE(before[0], before[1]);
    for (Hazard& hazard : profile.launches[0].hazards) hazard.line += 3, hazard.file = "/there/a.cu";
    EXPECT_EQ(prints(), before);
    profile.launches[0].hazards[0].order = RaceOrder::kWriteAfterWrite;
    EXPECT_NE(prints()[0], before[0]) << "another race";
}

}  // namespace
}  // namespace tilescope::report
