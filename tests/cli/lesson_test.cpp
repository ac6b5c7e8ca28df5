// `tilescope lesson` as a user meets it. The lessons here ask commands that need no compiler; tests/lessons runs real
// ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scope/cli/exit_status.h"
#include "tests/cli/tilescope_program.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

namespace fs = std::filesystem;

const char* const kFits = R"({
  "title": "What fits", "question": "How many blocks?", "remember": ["one", "two", "three"],
  "runs": {"fits": {"command": ["occupancy", "--threads", "64", "--registers", "27", "--shared", "4096", "--device", "textbook"]},
           "roof": {"command": ["roofline", "--intensity", "0.25", "--device", "a100"]},
           "card": {"command": ["devices", "a100"]}},
  "claims": [
    {"rows": ["O1"], "says": "24 blocks fit.", "run": "fits", "value": "occupancy.textbook.blocks_per_sm", "expected": 24},
    {"rows": ["O1"], "says": "Registers limit.", "wrong": true, "truth": "Shared memory does.", "claimed": "registers",
     "run": "fits", "value": "occupancy.textbook.limiters[0]", "expected": "shared"},
    {"rows": ["R2"], "says": "389 GFLOP/s.", "run": "roof", "value": "kernels[0].roofline.attainable / 1e9", "expected": 388.75},
    {"rows": ["M5"], "says": "108 SMs.", "run": "card", "value": "figures.sm_count.value", "expected": 108}],
  "exercises": [{"ask": "And warps?", "run": "fits", "value": "occupancy.textbook.threads_per_sm / 32", "expected": 48}],
  "pictures": {"curve": {"kind": "curve", "x": "n", "y": "blocks", "points": [
                  {"run": "fits", "x": 1, "value": "occupancy.textbook.blocks_per_sm"}, {"run": "fits", "x": 2, "value": "12"}]},
               "occupancy": {"kind": "occupancy", "run": "fits"}, "roof": {"kind": "roofline", "run": "roof"}}})";

class LessonProgram : public ::testing::Test {
protected:
    LessonProgram() { add("01_fits", kFits); }

    void add(const std::string& name, const std::string& json) const {
        const fs::path folder = root() / name;
        fs::create_directories(folder);
        std::ofstream(folder / "lesson.json") << json;
        std::ofstream(folder / (name.substr(3) + ".cu")) << "int main() {}\n";
    }
    fs::path root() const { return fs::path(scratch_.path()) / "lessons"; }
    Ran lesson(const std::string& arguments) const {
        return run_tilescope("lesson --lessons '" + root().string() + "' " + arguments);
    }
    // kFits with a part replaced.
    static std::string changed(const std::string& what, const std::string& by) {
        std::string text = kFits;
        return text.replace(text.find(what), what.size(), by);
    }

    ScratchFolder scratch_;
};

TEST_F(LessonProgram, ListsWhatThereIs) {
    const Ran list = lesson("");
    EXPECT_EQ(list.status, kRan) << list.output;
    EXPECT_TRUE(holds(list, "  1  fits ")) << list.output;
    EXPECT_TRUE(holds(list, "O1 R2 M5")) << list.output;
}

TEST_F(LessonProgram, RunsOneByNumberNameOrFolder) {
    for (const std::string& which :
         {std::string("1"), std::string("fits"), std::string("01_fits"), (root() / "01_fits").string()}) {
        const Ran ran = lesson("'" + which + "'");
        EXPECT_EQ(ran.status, kRan) << ran.output;
        for (const char* part :
             {"24 blocks fit.", "What is true: Shared memory does.", "3 claims hold, 1 wrong one is refuted"})
            EXPECT_TRUE(holds(ran, part)) << part << "\n" << ran.output;
        std::istringstream lines(ran.output);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 104U) << line;
    }
    const Ran all = lesson("fits -v --answers");
    EXPECT_TRUE(holds(all, "$ tilescope occupancy --threads 64 --registers 27 --shared 4096 --device textbook"))
        << all.output;
    EXPECT_TRUE(holds(all, "And warps?")) << all.output;
    EXPECT_EQ(lesson("fits -q").output, "");
}

TEST_F(LessonProgram, AClaimThatDoesNotHoldIsStatusOne) {
    add("02_wrong", changed("\"expected\": 24", "\"expected\": 25"));
    const Ran ran = lesson("wrong");
    EXPECT_EQ(ran.status, kClaimFailed) << ran.output;
    EXPECT_TRUE(holds(ran, "FAILS") && holds(ran, "1 FAILS")) << ran.output;
    const Ran all = lesson("--all --jobs 2");
    EXPECT_EQ(all.status, kClaimFailed) << all.output;
    EXPECT_TRUE(holds(all, "all claims hold in 1 of 2 lessons")) << all.output;
    add("03_exercise", changed("\"expected\": 48", "\"expected\": 47"));
    EXPECT_EQ(lesson("3 -q").status, kClaimFailed);
    add("04_refuted", changed("\"claimed\": \"registers\"", "\"claimed\": \"shared\""));
    EXPECT_EQ(lesson("4 -q").status, kClaimFailed);
}

TEST_F(LessonProgram, ARunThatEndsOtherwiseIsToldOf) {
    add("02_status", changed("\"textbook\"]", "\"no_such_device\"]"));
    const Ran ran = lesson("status");
    EXPECT_EQ(ran.status, kClaimFailed) << ran.output;
    EXPECT_TRUE(holds(ran, "ended with status 2, not 0: tilescope: error: ")) << ran.output;
    EXPECT_TRUE(holds(ran, "UNKNOWN")) << ran.output;
}

TEST_F(LessonProgram, WhatCannotBeReadIsStatusTwo) {
    add("02_broken", "{");
    for (const char* arguments : {"broken", "--all", "", "nothing", "./nowhere", "--all fits", "fits -v -q", "--gpu",
                                  "--pictures x", "fits --jobs 0"})
        EXPECT_EQ(lesson(arguments).status, kUsage) << arguments;
    EXPECT_TRUE(holds(lesson("fist"), "did you mean fits?"));
    EXPECT_TRUE(holds(lesson("broken"), "this is not a lesson"));
    EXPECT_EQ(run_tilescope("lesson --lessons /no/such/folder").status, kUsage);
}

TEST_F(LessonProgram, WritesJson) {
    const Ran ran = lesson("fits --json -");
    EXPECT_EQ(ran.status, kRan);
    const auto json = nlohmann::json::parse(ran.output);
    EXPECT_EQ(json["lessons"][0]["claims"][0]["found"], "24");
    EXPECT_EQ(json["lessons"][0]["met"], true);
}

TEST_F(LessonProgram, WritesWhatThePageRefersTo) {
    const fs::path into = fs::path(scratch_.path()) / "page";
    const Ran ran = lesson("fits -q --pictures '" + into.string() + "'");
    EXPECT_EQ(ran.status, kRan) << ran.output;
    for (const char* name : {"curve", "occupancy", "roof"}) {
        const std::string svg = file_text((into / "pictures" / (std::string(name) + ".svg")).string());
        EXPECT_EQ(svg.find("<svg "), 0U) << name;
        EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos) << name;
    }
    // What a page draws itself is there as data, too.
    EXPECT_EQ(nlohmann::json::parse(file_text((into / "pictures/curve.json").string()))["kind"], "chart");
    EXPECT_FALSE(nlohmann::json::parse(file_text((into / "pictures/roof.json").string()))["slopes"].empty());
    const auto occupancy = nlohmann::json::parse(file_text((into / "pictures/occupancy.json").string()));
    EXPECT_EQ(occupancy["charts"].front()["kind"], "chart");
    EXPECT_FALSE(occupancy["table"]["shared"].empty());
    EXPECT_NE(file_text((into / "outputs/claims.txt").string()).find("24 blocks fit."), std::string::npos);
    EXPECT_NE(file_text((into / "outputs/fits.txt").string()).find("24 blocks"), std::string::npos);
    EXPECT_NE(file_text((into / "outputs/card.txt").string()).find("A100"), std::string::npos);
    EXPECT_EQ(lesson("--all -q --pictures '" + into.string() + "'").status, kRan);
    EXPECT_TRUE(fs::exists(into / "01_fits/pictures/roof.svg"));
    add("02_picture", changed("\"kind\": \"occupancy\", \"run\": \"fits\"", "\"kind\": \"phases\", \"run\": \"fits\""));
    const Ran broken = lesson("picture -q --pictures '" + into.string() + "'");
    EXPECT_EQ(broken.status, kUsage);
    EXPECT_TRUE(holds(broken, "pictures.occupancy: run \"fits\" traced nothing")) << broken.output;
}

TEST(Lessons, AreFoundBesideTheProgram) {
    const Ran list = run_tilescope("lesson");
    EXPECT_EQ(list.status, kRan) << list.output;
    EXPECT_NE(list.output.find("intensity"), std::string::npos) << list.output;
}

}  // namespace
}  // namespace tilescope::cli
