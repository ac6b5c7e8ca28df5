// The words that a lesson's runs stand for.
#include "scope/lessons/commands.h"

#include <gtest/gtest.h>

namespace tilescope::lessons {
namespace {

Lesson sample() {
    const auto lesson = parse_lesson(
        R"({"title": "T", "question": "Q", "remember": ["a", "b", "c"],
            "runs": {"naive": {"arguments": ["naive", "4 4"], "defines": ["T=4"], "options": ["--check", "races"]},
                     "again": {"arguments": ["naive", "4 4"], "defines": ["T=4"], "options": ["--check", "races"], "kernel": "k"},
                     "plain": {},
                     "roof": {"command": ["roofline", "{profile:again}", "--device", "a100"]},
                     "walk": {"command": ["trace", "{program}", "--", "{folder}"]},
                     "card": {"command": ["devices", "a100"]}},
            "claims": [{"rows": ["R1"], "says": "s", "run": "plain", "value": "status", "expected": 0}]})",
        "lesson.json", "01_x");
    EXPECT_TRUE(lesson) << render(lesson.errors());
    Lesson result = *lesson;
    result.folder = "lessons/01_x";
    return result;
}

TEST(LessonCommands, AreWhatAPersonWouldType) {
    const Lesson lesson = sample();
    const auto line = [&](const char* run) { return shell_line(typed(lesson, *lesson.run(run))); };
    EXPECT_EQ(line("naive"), "run lessons/01_x/x.cu -D T=4 --check races -- naive '4 4'");
    EXPECT_EQ(line("plain"), "run lessons/01_x/x.cu");
    EXPECT_EQ(line("roof"), "roofline again.json --device a100");
    EXPECT_EQ(line("walk"), "trace lessons/01_x/x.cu -- lessons/01_x");
    EXPECT_EQ(shell_line({"it's"}), "'it'\\''s'");
}

TEST(LessonCommands, SendTheirAnswersToAFile) {
    const Lesson lesson = sample();
    const Housekeeping house{"clang", 2, "/tmp/f"};
    const auto line = [&](const char* run) { return shell_line(as_run(lesson, *lesson.run(run), house)); };
    EXPECT_EQ(line("naive"),
              "run lessons/01_x/x.cu -D T=4 --check races --json /tmp/f/naive.json -q --jobs 2 --compiler "
              "clang -- naive '4 4'");
    EXPECT_EQ(line("roof"), "roofline /tmp/f/naive.json --device a100 --json /tmp/f/roof.json");
    EXPECT_EQ(line("walk"),
              "trace lessons/01_x/x.cu --json /tmp/f/walk.json -q --jobs 2 --compiler clang -- lessons/01_x");
    EXPECT_EQ(line("card"), "devices a100 --json");
}

TEST(LessonCommands, RunsThatDifferInTheirLaunchAloneHaveOneAnswer) {
    const Lesson lesson = sample();
    const Housekeeping house{"", 0, "f"};
    EXPECT_EQ(answer_file(lesson, *lesson.run("again"), house), answer_file(lesson, *lesson.run("naive"), house));
    EXPECT_NE(answer_file(lesson, *lesson.run("plain"), house), answer_file(lesson, *lesson.run("naive"), house));
    EXPECT_EQ(profiles_needed(*lesson.run("roof")), std::vector<std::string>{"again"});
    EXPECT_TRUE(profiles_needed(*lesson.run("naive")).empty());
}

}  // namespace
}  // namespace tilescope::lessons
