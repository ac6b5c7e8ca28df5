// Answers of the sample profile (tests/report/sample.h), for tests of expressions and claims.
#pragma once

#include <gtest/gtest.h>

#include "scope/lessons/answers.h"
#include "scope/report/json.h"
#include "tests/report/sample.h"

namespace tilescope::lessons {

// Two runs over the same profile, about its two products, and the answer of another command.
struct SampleLesson {
    SampleLesson() {
        const auto parsed = parse_lesson(
            R"({"title": "T", "question": "Q", "remember": ["a", "b", "c"],
                "runs": {"naive": {}, "tiled": {"kernel": "tiled*"}, "roof": {"command": ["roofline"]}},
                "claims": [{"rows": ["R1"], "says": "s", "run": "naive", "value": "status", "expected": 0}]})",
            "lesson.json", "07_sample");
        EXPECT_TRUE(parsed) << render(parsed.errors());
        lesson = *parsed;
        lesson.folder = "tests/report";
        answers.lesson = &lesson;
        answers.source = std::vector<std::string>(30, "something");
        answers.source[6] = "    sum += M[row * width + k] * N[k * width + col];  // [inner]";
        answers.source[7] = "    P[row * width + col] = sum;  // [store]";
        answers.source[28] = "    out[...] = 1;  // [beyond]";
        Profile profile = report::sample_profile();
        profile.launches[0].counters.modelled = true;
        profile.launches[0].counters[Counter::kDramReadBytes] = 640;
        profile.launches[0].time.emplace().microseconds = 12.5;
        Hazard note;
        note.kind = HazardKind::kOutOfBounds;
        note.severity = Severity::kNote;
        note.file = "tests/report/07_sample.cu";
        note.line = 7;
        note.facts.what = HazardCase::kExactFit;
        profile.launches[0].hazards.push_back(note);
        const auto of_run = make_answer(lesson.runs[0], 3, "PASS naive\nsum of all: -12.5 at 3\nlabel alone\n",
                                        report::to_json(profile));
        EXPECT_TRUE(of_run) << render(of_run.errors());
        run = *of_run;
        const auto of_command = make_answer(
            lesson.runs[2], 0, "", R"({"kernels": [{"name": "loop", "roofline": {"bound": "dram", "ridge": 12.5}}]})");
        EXPECT_TRUE(of_command);
        command = *of_command;
        answers.of = {{"naive", &run}, {"tiled", &run}, {"roof", &command}};
    }

    Lesson lesson;
    Answer run, command;
    Answers answers;
};

inline report::Expression expression(const std::string& text) {
    const auto parsed = report::parse_expression(text, {});
    EXPECT_TRUE(parsed) << text << "\n" << (parsed ? "" : render(parsed.errors()));
    return parsed ? *parsed : report::Expression{};
}

}  // namespace tilescope::lessons
