// Verdicts on claims.
#include "scope/lessons/check.h"

#include "tests/lessons/sample_lesson.h"

namespace tilescope::lessons {
namespace {

class LessonCheck : public ::testing::Test {
protected:
    // The outcome of one claim with these fields.
    ClaimOutcome outcome(const std::string& fields, const std::map<std::string, std::string>& problems = {}) {
        const std::string run = fields.find("\"run\"") == std::string::npos ? R"("run": "naive", )" : "";
        const auto parsed = parse_lesson(
            R"({"title": "T", "question": "Q", "remember": ["a", "b", "c"],
                "runs": {"naive": {}, "tiled": {"kernel": "tiled*"}, "roof": {"command": ["roofline"]}},
                "claims": [{"rows": ["R1"], "says": "s", )" +
                run + fields + "}]}",
            "lesson.json", "07_sample");
        EXPECT_TRUE(parsed) << fields << "\n" << (parsed ? "" : render(parsed.errors()));
        if (!parsed) return {};
        sample_.lesson.claims = parsed->claims;
        return check(sample_.answers, problems).claims[0];
    }
    ClaimVerdict verdict(const std::string& fields) { return outcome(fields).verdict; }

    SampleLesson sample_;
};

TEST_F(LessonCheck, ClaimsAreExactUnlessTheySayWithin) {
    EXPECT_EQ(verdict(R"("value": "tiling.potential", "expected": 16)"), ClaimVerdict::kHolds);
    EXPECT_EQ(verdict(R"("value": "tiling.potential", "expected": 16.000001)"), ClaimVerdict::kFails);
    EXPECT_EQ(verdict(R"("value": "tiling.potential", "expected": 16.1, "within": "1%")"), ClaimVerdict::kHolds);
    EXPECT_EQ(verdict(R"("value": "tiling.potential", "expected": 16.2, "within": "1%")"), ClaimVerdict::kFails);
    EXPECT_EQ(verdict(R"("value": "tiling.potential", "expected": 16.5, "within": 0.5)"), ClaimVerdict::kHolds);
    EXPECT_EQ(verdict(R"("value": "tiling.potential", "expected": 16.6, "within": 0.5)"), ClaimVerdict::kFails);
    EXPECT_EQ(verdict(R"("value": "1 / 3", "expected": {"value": "2 / 6"})"), ClaimVerdict::kHolds);
    EXPECT_EQ(verdict(R"("value": "0.1 + 0.2", "expected": 0.3)"), ClaimVerdict::kHolds);
}

TEST_F(LessonCheck, TextsConditionsAndBounds) {
    EXPECT_EQ(verdict(R"("run": "roof", "value": "kernels[0].roofline.bound", "expected": "dram")"),
              ClaimVerdict::kHolds);
    EXPECT_EQ(verdict(R"("run": "roof", "value": "kernels[0].roofline.bound", "expected": "fp32")"),
              ClaimVerdict::kFails);
    EXPECT_EQ(verdict(R"("value": "status > 2", "expected": true)"), ClaimVerdict::kHolds);
    EXPECT_EQ(verdict(R"("value": "status > 2", "expected": false)"), ClaimVerdict::kFails);
    EXPECT_EQ(verdict(R"("value": "status", "at_least": 3)"), ClaimVerdict::kHolds);
    EXPECT_EQ(verdict(R"("value": "status", "at_least": 3.1)"), ClaimVerdict::kFails);
    EXPECT_EQ(verdict(R"("value": "status", "at_most": 2)"), ClaimVerdict::kFails);
    EXPECT_EQ(verdict(R"("value": "status", "at_least": 1, "at_most": {"value": "tiled.status"})"),
              ClaimVerdict::kHolds);
    EXPECT_EQ(outcome(R"("value": "status", "at_least": 1, "at_most": 20000, "unit": "B")").expected,
              "≥ 1 B, ≤ 20,000 B");
}

TEST_F(LessonCheck, AWrongClaimIsRefutedByWhatIsTrue) {
    const std::string wrong = R"("value": "status", "expected": 3, "wrong": true, "truth": "t")";
    EXPECT_EQ(verdict(wrong), ClaimVerdict::kRefuted);
    EXPECT_EQ(verdict(wrong + R"(, "claimed": 4)"), ClaimVerdict::kRefuted);
    // What the text says is what is found: then the claim was right.
    EXPECT_EQ(verdict(wrong + R"(, "claimed": 3)"), ClaimVerdict::kFails);
    EXPECT_EQ(verdict(R"("value": "status", "expected": 5, "wrong": true, "truth": "t")"), ClaimVerdict::kFails);
}

TEST_F(LessonCheck, WhatCannotBeCheckedIsUnknownAndSaysWhy) {
    const ClaimOutcome missing = outcome(R"("value": "no_such_name", "expected": 3)");
    EXPECT_EQ(missing.verdict, ClaimVerdict::kUnknown);
    EXPECT_NE(missing.problem.find("no \"no_such_name\""), std::string::npos) << missing.problem;
    EXPECT_EQ(verdict(R"("value": "status", "expected": "3")"), ClaimVerdict::kUnknown);
    EXPECT_EQ(verdict(R"("value": "status > 1", "at_least": 1)"), ClaimVerdict::kUnknown);
    EXPECT_EQ(verdict(R"("value": "status", "expected": {"value": "nothing"})"), ClaimVerdict::kUnknown);
    const std::map<std::string, std::string> problems = {{"tiled", "ended with status 3, not 0"}};
    const ClaimOutcome other = outcome(R"("value": "tiled.status", "expected": 3)", problems);
    EXPECT_EQ(other.verdict, ClaimVerdict::kUnknown);
    EXPECT_EQ(other.problem, "run \"tiled\" ended with status 3, not 0");
    EXPECT_EQ(outcome(R"("value": "status", "expected": 3)", problems).verdict, ClaimVerdict::kHolds);
}

TEST_F(LessonCheck, FiguresAreShownAsPeopleReadThem) {
    const ClaimOutcome claim =
        outcome(R"("value": "dram_read_bytes * 100000", "expected": 64000000, "within": "2%", "unit": "B")");
    EXPECT_EQ(claim.expected, "64,000,000 B ±2 %");
    EXPECT_EQ(claim.found, "64,000,000 B");
    EXPECT_EQ(claim.origin, "modelled");
    EXPECT_EQ(shown(report::Value(1.0 / 3), ""), "0.333333");
    EXPECT_EQ(shown(report::Value(true), ""), "true");
}

}  // namespace
}  // namespace tilescope::lessons
