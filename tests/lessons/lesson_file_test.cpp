// Reading lesson.json: what is right is taken, and every mistake is told with its place.
#include <gtest/gtest.h>

#include <fstream>

#include "scope/lessons/lesson.h"
#include "tests/scratch.h"

namespace tilescope::lessons {
namespace {

// A lesson with these parts put in.
std::string lesson_with(const std::string& runs, const std::string& claims, const std::string& rest = {}) {
    return R"({"title": "T", "question": "Q?", "remember": ["a", "b", "c"], "runs": {)" + runs + R"(}, "claims": [)" +
           claims + "]" + (rest.empty() ? "" : ", " + rest) + "}";
}
const std::string kRun = R"("naive": {"arguments": ["naive"]})";
const std::string kClaim = R"({"rows": ["R1"], "says": "s", "value": "status", "expected": 0})";

std::string errors_of(const std::string& json) {
    const auto lesson = parse_lesson(json, "lesson.json", "01_x");
    return lesson ? std::string() : render(lesson.errors());
}

TEST(LessonFile, TakesAllThatTheFormatHas) {
    const auto lesson = parse_lesson(
        lesson_with(R"("naive": {"arguments": ["a"], "defines": ["T=4"], "options": ["--check", "races"], "status": 4,
                                 "kernel": "n*", "launch": 2},
                       "fits": {"command": ["occupancy", "--threads", "64"]},
                       "roof": {"command": ["roofline", "{profile:naive}"]})",
                    R"({"rows": ["R1", "R2"], "says": "s", "run": "naive", "value": "intensity.requested",
                        "expected": 0.25, "within": "1%", "unit": "FLOP/B", "source": "x", "kernel": "k", "launch": 1},
                       {"rows": ["R3"], "says": "s", "run": "fits", "value": "a.b[0]", "at_least": 1, "at_most": {"value": "2 * 3"}},
                       {"rows": ["R4"], "says": "s", "run": "fits", "value": "x", "expected": true, "wrong": true,
                        "truth": "t", "claimed": false})",
                    R"x("exercises": [{"ask": "?", "run": "fits", "value": "x", "expected": "dram"}],
                       "pictures": {"p": {"kind": "roofline", "runs": ["naive", "naive"], "device": "a100"},
                                    "c": {"kind": "curve", "x": "a", "y": "b", "points": [
                                        {"run": "naive", "x": 1, "value": "status"}, {"run": "naive", "x": 2, "value": "status"}]}},
                       "gpu": [{"says": "n", "run": "naive", "measured": "output('n')", "modelled": "microseconds",
                                "h200": 3.5, "date": "2026-11-23"}])x"),
        "lesson.json", "01_x");
    ASSERT_TRUE(lesson) << render(lesson.errors());
    ASSERT_EQ(lesson->runs.size(), 3U);
    const lessons::Run& run = lesson->runs[0];
    EXPECT_EQ(run.status, 4);
    EXPECT_EQ(run.kernel, "n*");
    EXPECT_EQ(run.launch, 2U);
    EXPECT_EQ(run.defines, std::vector<std::string>{"T=4"});
    ASSERT_EQ(lesson->claims.size(), 4U);
    EXPECT_TRUE(lesson->claims[0].relative);
    EXPECT_DOUBLE_EQ(lesson->claims[0].within, 0.01);
    EXPECT_EQ(lesson->claims[0].launch, 1U);
    EXPECT_TRUE(lesson->claims[1].at_most->expression);
    EXPECT_TRUE(lesson->claims[2].wrong);
    EXPECT_TRUE(lesson->claims[3].exercise);
    EXPECT_EQ(lesson->rows(), (std::vector<std::string>{"R1", "R2", "R3", "R4"}));
    EXPECT_EQ(lesson->pictures[1].points.size(), 2U);
    EXPECT_EQ(lesson->times[0].h200, 3.5);
}

TEST(LessonFile, AClaimWithoutARunIsAboutTheOnlyOne) {
    const auto lesson = parse_lesson(lesson_with(kRun, kClaim), "lesson.json", "01_x");
    ASSERT_TRUE(lesson) << render(lesson.errors());
    EXPECT_EQ(lesson->claims[0].run, "naive");
}

TEST(LessonFile, EveryMistakeIsToldWithItsPlace) {
    struct Case {
        std::string json;
        const char *place, *says;
    };
    const auto claim = [](const std::string& fields) { return lesson_with(kRun, "{" + fields + "}"); };
    const auto run = [](const std::string& fields) { return lesson_with("\"naive\": {" + fields + "}", kClaim); };
    const auto rest = [](const std::string& fields) { return lesson_with(kRun, kClaim, fields); };
    const std::string good = R"("rows": ["R1"], "says": "s", "value": "status")";
    const Case cases[] = {
        {"", "lesson.json", "not a JSON object"},
        {"[1]", "lesson.json", "not a JSON object"},
        {"{}", "", "\"title\" is missing"},
        {"{}", "", "\"runs\" is missing"},
        {lesson_with(kRun, ""), "", "there is no claim"},
        {lesson_with(kRun, "7"), "claims[0]", "is not an object"},
        {rest(R"("claim": 1)"), "", "did you mean claims?"},
        {rest(R"("pictures": [])"), "pictures", "is not an object { NAME"},
        {rest(R"("exercises": {})"), "exercises", "is not a list"},
        {claim(good), "claims[0]", "nothing says what is expected"},
        {claim(R"("says": "s", "value": "status", "expected": 0)"), "claims[0]", "\"rows\" is missing"},
        {claim(R"("rows": [], "says": "s", "value": "status", "expected": 0)"), "claims[0]", "names no row"},
        {claim(R"("rows": "R1", "says": "s", "value": "status", "expected": 0)"), "claims[0].rows",
         "not a list of texts"},
        {claim(R"("rows": ["R1"], "says": 1, "value": "status", "expected": 0)"), "claims[0].says", "is not a text"},
        {claim(R"("rows": ["R1"], "says": "s", "value": 1, "expected": 0)"), "claims[0].value", "is not an expression"},
        {claim(R"("rows": ["R1"], "says": "s", "value": "1 +", "expected": 0)"), "claims[0].value", "at character 4"},
        {claim(good + R"(, "expected": 0, "at_least": 1)"), "claims[0]", "goes without"},
        {claim(good + R"(, "at_least": "x")"), "claims[0]", "are numbers"},
        {claim(good + R"(, "expected": [1])"), "claims[0].expected", "is no number, text"},
        {claim(good + R"(, "expected": {"value": "("})"), "claims[0].expected.value", "ends too early"},
        {claim(good + R"(, "expected": 0, "within": "1")"), "claims[0].within", "is no tolerance"},
        {claim(good + R"(, "expected": 0, "within": "-1%")"), "claims[0].within", "is no tolerance"},
        {claim(good + R"(, "at_least": 0, "within": 1)"), "claims[0].within", "goes with \"expected\" only"},
        {claim(good + R"(, "expected": 0, "wrong": true)"), "claims[0]", "a wrong claim needs"},
        {claim(good + R"(, "expected": 0, "truth": "t")"), "claims[0]", "\"truth\" goes with"},
        {claim(good + R"(, "expected": 0, "claimed": 1)"), "claims[0]", "\"claimed\" goes with"},
        {claim(good + R"(, "expected": 0, "wrong": 1)"), "claims[0].wrong", "is not true or false"},
        {claim(good + R"(, "expected": 0, "launch": -1)"), "claims[0].launch", "whole number"},
        {claim(good + R"(, "expected": 0, "launch": 0.5)"), "claims[0].launch", "whole number"},
        {claim(good + R"(, "expected": 0, "run": "nave")"), "claims[0].run", "did you mean naive?"},
        {lesson_with(kRun + R"(, "b": {})", kClaim), "claims[0]", "\"run\" is missing"},
        {run(R"("status": 300)"), "runs.naive.status", "from 0 to 255"},
        {run(R"("argument": [])"), "runs.naive", "did you mean arguments?"},
        {run(R"("options": ["--json", "x"])"), "runs.naive.options", "added by `tilescope lesson` itself"},
        {run(R"("options": ["--compiler=clang"])"), "runs.naive.options", "added by `tilescope lesson` itself"},
        {run(R"("options": ["--", "x"])"), "runs.naive.options", "\"arguments\""},
        {run(R"("command": [])"), "runs.naive", "does not begin"},
        {run(R"("command": ["rm", "-rf"])"), "runs.naive", "one of occupancy"},
        {run(R"("command": ["devices"], "arguments": ["x"])"), "runs.naive", "holds all words"},
        {run(R"("command": ["roofline", "{profile:other}"])"), "runs.naive", "no profile of a run \"other\""},
        {run(R"("command": ["roofline", "{profile:naive}"])"), "runs.naive", "no profile of a run \"naive\""},
        {lesson_with(kRun + ", " + kRun, kClaim), "runs.naive", "stands there twice"},
        {lesson_with(R"("1st": {})", kClaim), "runs.1st", "is no name"},
        {rest(R"("pictures": {"p": {"kind": "pie"}})"), "pictures.p", "no picture of the kind \"pie\""},
        {rest(R"("pictures": {"p": {"kind": "banks", "run": "naive"}})"), "pictures.p", "\"line\" is missing"},
        {rest(R"("pictures": {"p": {"kind": "phases", "runs": ["naive", "naive"]}})"), "pictures.p",
         "one run is drawn"},
        {rest(R"("pictures": {"p": {"kind": "curve", "x": "a", "y": "b", "points": []}})"), "pictures.p", "two points"},
        {rest(R"("gpu": [{"says": "s", "measured": "1", "modelled": "1", "h200": 1}])"), "gpu[0]", "go together"},
        {R"({"title": "T", "question": "Q", "remember": ["a"], "runs": {}, "claims": []})", "remember", "three lines"},
    };
    for (const Case& c : cases) {
        const std::string errors = errors_of(c.json);
        EXPECT_NE(errors.find(c.says), std::string::npos) << c.json << "\n" << errors;
        EXPECT_NE(errors.find(c.place), std::string::npos) << c.json << "\n" << errors;
        EXPECT_NE(errors.find("hint: "), std::string::npos) << errors;
    }
}

TEST(LessonFile, HostileTextIsAnErrorNotACrash) {
    EXPECT_NE(errors_of(std::string(100'000, '[')), "");
    EXPECT_NE(errors_of(std::string(100'000, '{')), "");
    EXPECT_NE(errors_of(lesson_with("\"" + std::string(100'000, 'x') + "\": 1", kClaim)), "");
    std::string many;
    for (int i = 0; i < 1000; ++i) many += (i == 0 ? "" : ", ") + std::string("1");
    const auto lesson = parse_lesson(lesson_with(kRun, many), "lesson.json", "01_x");
    ASSERT_FALSE(lesson);
    EXPECT_LE(lesson.errors().size(), 20U);
}

TEST(LessonFolders, AreFoundByNumberNameAndFolder) {
    const ScratchFolder scratch;
    namespace fs = std::filesystem;
    const fs::path root = scratch.path();
    for (const char* name : {"02_banks", "01_intensity", "notes", "1_x", "03_Big"}) fs::create_directory(root / name);
    std::ofstream(root / "04_file") << "no folder";
    ASSERT_EQ(lesson_folders(root).size(), 2U);
    EXPECT_EQ(lesson_folders(root)[0].filename(), "01_intensity");
    for (const char* which : {"2", "02", "banks", "02_banks"}) {
        const auto found = find_lesson(root, which);
        ASSERT_TRUE(found) << which;
        EXPECT_EQ(found->filename(), "02_banks");
    }
    const auto unknown = find_lesson(root, "bnaks");
    ASSERT_FALSE(unknown);
    EXPECT_NE(render(unknown.errors()).find("did you mean banks?"), std::string::npos);
    EXPECT_FALSE(find_lesson(root, "9"));
    EXPECT_TRUE(lesson_folders(root / "nowhere").empty());
}

TEST(LessonFolders, AFolderWithoutItsFilesIsAnError) {
    const ScratchFolder scratch;
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(scratch.path()) / "01_x";
    fs::create_directory(folder);
    EXPECT_NE(render(read_lesson(folder).errors()).find("cannot read this file"), std::string::npos);
    std::ofstream(folder / "lesson.json") << lesson_with(kRun, kClaim);
    EXPECT_NE(render(read_lesson(folder).errors()).find("the lesson's program is not there"), std::string::npos);
    std::ofstream(folder / "x.cu") << "int main() {}\n";
    const auto lesson = read_lesson(folder);
    ASSERT_TRUE(lesson) << render(lesson.errors());
    EXPECT_EQ(lesson->name, "01_x");
}

}  // namespace
}  // namespace tilescope::lessons
