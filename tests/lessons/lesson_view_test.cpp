// Tables of lessons, as a reader sees them.
#include "scope/views/render/lesson_view.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "scope/base/result.h"
#include "scope/report/format.h"

namespace tilescope::views {
namespace {

LessonOutcome sample() {
    LessonOutcome outcome;
    outcome.folder = "07_banks";
    outcome.title = "Banks";
    outcome.question = "Why?";
    outcome.rows = {"A1", "A2"};
    outcome.remember = {"one", "two", "three"};
    outcome.commands = {{"s17", "tilescope run banks.cu -- 17", 0, 0.5}};
    ClaimOutcome holds;
    holds.rows = {"A1"};
    holds.says =
        "A stride of two words meets each bank twice, whatever else is in the sentence to make it long enough.";
    holds.expected = "2";
    holds.found = "2";
    holds.run = "s2";
    holds.value = "shared_load_wavefronts / shared_load_requests";
    ClaimOutcome wrong = holds;
    wrong.says = "Stride 17 conflicts.";
    wrong.truth = "17 and 32 share no factor.";
    wrong.source = "a lecture";
    wrong.claimed = "17";
    wrong.verdict = ClaimVerdict::kRefuted;
    ClaimOutcome exercise = holds;
    exercise.says = "What of stride 3?";
    exercise.exercise = true;
    outcome.claims = {holds, wrong, exercise};
    return outcome;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(LessonView, ShowsClaimsVerdictsAndWhatToRemember) {
    const std::string text = lesson_text(sample(), {});
    for (const char* part : {"07_banks · Banks", "Why?", "holds", "refuted", "It is said: Stride 17 conflicts.",
                             "(that would be 17)", "What is true: 17 and 32", "Source: a lecture", "  • two",
                             "1 claim holds, 1 wrong one is refuted; 1 exercise (--answers tells)"})
        EXPECT_TRUE(has(text, part)) << part << "\n" << text;
    EXPECT_FALSE(has(text, "What of stride 3?"));
    EXPECT_FALSE(has(text, "tilescope run"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), 100U) << line;
}

TEST(LessonView, ShowsMoreWhenAsked) {
    LessonOptions options;
    options.answers = options.view.verbose = true;
    const std::string text = lesson_text(sample(), options);
    for (const char* part : {"$ tilescope run banks.cu -- 17", "What of stride 3?", "run s2: shared_load_wavefronts"})
        EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST(LessonView, WhatFailsIsToldWithItsExpression) {
    LessonOutcome outcome = sample();
    outcome.claims[0].verdict = ClaimVerdict::kFails;
    outcome.claims[2].verdict = ClaimVerdict::kUnknown;
    outcome.claims[2].problem = "nothing was counted";
    EXPECT_FALSE(outcome.met());
    for (const std::string& text : {lesson_text(outcome, {}), lessons_text({outcome}, {})})
        for (const char* part : {"FAILS", "UNKNOWN", "run s2: shared_load_wavefronts", "nothing was counted"})
            EXPECT_TRUE(has(text, part)) << part << "\n" << text;
    EXPECT_TRUE(has(lessons_text({outcome, sample()}, {}), "all claims hold in 1 of 2 lessons"));
}

TEST(LessonView, AllLessonsInOneTable) {
    LessonOutcome broken;
    broken.folder = "08_broken";
    broken.diagnostics = {error("lessons-json", {"lesson.json"}, "this is not a lesson")};
    const std::string text = lessons_text({sample(), broken}, {});
    for (const char* part : {"  7  banks", "ERROR", "this is not a lesson", "1 of 2 lessons"})
        EXPECT_TRUE(has(text, part)) << part << "\n" << text;
    const std::string list = lesson_list_text({sample(), broken}, {});
    EXPECT_TRUE(has(list, "A1 A2")) << list;
    EXPECT_TRUE(has(list, "cannot be read")) << list;
}

TEST(LessonView, AsJson) {
    const auto json = nlohmann::json::parse(lessons_json({sample()}));
    EXPECT_EQ(json["schema"], 1);
    const auto& lesson = json["lessons"][0];
    EXPECT_EQ(lesson["lesson"], "07_banks");
    EXPECT_EQ(lesson["met"], true);
    EXPECT_EQ(lesson["claims"].size(), 2U);
    EXPECT_EQ(lesson["claims"][1]["verdict"], "refuted");
    EXPECT_EQ(lesson["exercises"][0]["ask"], "What of stride 3?");
    EXPECT_EQ(lesson["commands"][0]["line"], "tilescope run banks.cu -- 17");
}

}  // namespace
}  // namespace tilescope::views
